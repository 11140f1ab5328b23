import {
  type Closing,
  type ClosingId,
  CommissionLedger,
  CommissionSettlement,
  type EntryQuery,
  type PayoutId,
  type Period,
  type StoredEntry,
  type StoredPayout
} from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type CalendarDate, centavos } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { aCommissionEntry } from "../../builders/aCommissionEntry.ts"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { scopeOfPartner } from "../suite/queries.ts"
import { atomically } from "../suite/transactions.ts"

export const entryQuery = (fields: Partial<EntryQuery> = {}): EntryQuery => ({
  filters: {},
  page: { number: 0, size: 100 },
  sort: [{ property: "occurred_at", direction: "asc" }],
  ...fields
})

export const append = (entries: ReadonlyArray<StoredEntry>) => CommissionLedger.use((ledger) => ledger.append(entries))

/** Stores an entry. `path` starts with the partner of the entry, and has its ancestors up to the root. */
export const storeEntry = Effect.fnUntraced(
  function*(path: ReadonlyArray<PartnerDetail>, fields: Partial<StoredEntry> = {}) {
    const entry = yield* aCommissionEntry(path, fields)
    yield* append([entry])
    return entry
  }
)

/** Lists the entries that a caller sees. Asserts that the total equals their number. */
export const listEntries = Effect.fnUntraced(function*(caller: PartnerDetail, fields: Partial<EntryQuery> = {}) {
  const { items, total } = yield* (yield* CommissionLedger).list(scopeOfPartner(caller), entryQuery(fields))
  assert.strictEqual(total, items.length)
  return [...items]
})

export const period = (text: string) => text as Period
export const day = (text: string) => text as CalendarDate

export const aClosing = Effect.fnUntraced(function*(month: string, today: string) {
  const closing: Closing = {
    closing_id: (yield* freshId) as ClosingId,
    period: period(month),
    at: exampleInstant,
    created_by: "operator",
    today: day(today),
    limit: 100
  }
  return closing
})

/** Closes a month of a partner, as a caller of the partner `caller`. */
export const close = Effect.fnUntraced(
  function*(caller: PartnerDetail, partner: PartnerDetail, month: string, today: string) {
    const settlement = yield* CommissionSettlement
    return yield* atomically(
      settlement.close(scopeOfPartner(caller), asOperator.inScope(partner.partner_id), yield* aClosing(month, today))
    )
  }
)

export const aPayout = Effect.fnUntraced(function*(
  payee: PartnerDetail,
  viewers: ReadonlyArray<PartnerDetail>,
  fields: Partial<StoredPayout> = {}
) {
  const payout: StoredPayout = {
    payout_id: (yield* freshId) as PayoutId,
    partner_id: payee.partner_id,
    viewers: viewers.map(({ partner_id }) => partner_id),
    period: period("2026-01"),
    amount: centavos(100),
    withheld: [{ kind: "ISS", amount: centavos(5) }],
    net_amount: centavos(95),
    reference: "TED 1",
    paid_at: exampleInstant,
    created_at: exampleInstant,
    ...fields
  }
  return payout
})
