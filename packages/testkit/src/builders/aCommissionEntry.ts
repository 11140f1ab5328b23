import { type EntryId, type NewPlan, type Period, type PlanId, type StoredEntry } from "@lastro/domain/commission"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type CalendarDate, centavos, type PartnerId, type ProposalId } from "@lastro/domain/values"
import { Effect } from "effect"
import { exampleInstant, freshId } from "./Fresh.ts"

/** Makes an open ACCRUAL of a partner. `path` lists this partner and its ancestors, ending with the root. */
export const aCommissionEntry = Effect.fnUntraced(function*(
  path: ReadonlyArray<Pick<PartnerDetail, "partner_id">>,
  fields: Partial<StoredEntry> = {}
) {
  const viewers = path.map(({ partner_id }) => partner_id)
  const entry: StoredEntry = {
    entry_id: (yield* freshId) as EntryId,
    partner_id: viewers[0] as PartnerId,
    viewers,
    proposal_id: (yield* freshId) as ProposalId,
    kind: "ACCRUAL",
    amount: centavos(1_250),
    basis_amount: centavos(100_000),
    lender: "sandbox",
    table: "ouro",
    seller_partner_id: viewers[0] as PartnerId,
    period: "2026-01" as Period,
    payable_on: "2026-01-10" as CalendarDate,
    status: "OPEN",
    payout_id: null,
    occurred_at: exampleInstant,
    note: null,
    reference: "C-1",
    paid_amount: centavos(90_000),
    happened_on: "2026-01-02" as CalendarDate,
    ...fields
  }
  return entry
})

/** Makes a commission plan of a partner, in force from the first day of 2026. */
export const aCommissionPlan = Effect.fnUntraced(function*(
  { partner_id }: Pick<PartnerDetail, "partner_id">,
  fields: Partial<NewPlan> = {}
) {
  const plan: NewPlan = {
    plan_id: (yield* freshId) as PlanId,
    partner_id,
    valid_from: "2026-01-01" as CalendarDate,
    basis: null,
    rates: [],
    created_at: exampleInstant,
    created_by: "operator",
    writer_partner_id: partner_id,
    ...fields
  }
  return plan
})
