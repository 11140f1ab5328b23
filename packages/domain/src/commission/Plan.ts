import { Schema } from "effect"
import { field, nullWhenAbsent } from "../input/field.ts"
import { problem } from "../input/FieldProblem.ts"
import { pageSchema } from "../input/Page.ts"
import { textSchema } from "../input/Text.ts"
import { failsWith } from "../input/textParser.ts"
import { commissionBases, type CommissionBasis } from "../loan/ContractFacts.ts"
import { CalendarDate } from "../values/CalendarDate.ts"
import { PartnerId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { Uuid } from "../values/Uuid.ts"
import { type Share, SharePercent } from "./Share.ts"

/** The id of a commission plan. */
export const PlanId = Uuid.pipe(
  Schema.annotateEncoded({
    description: "The plan's id, which its audit entry has as `subject_id`",
    examples: ["0197f3a2-f5b6-77e8-a2e4-95a6b7c8d9e0"]
  }),
  Schema.brand("PlanId")
)
export type PlanId = typeof PlanId.Type

/** The amount of a contract to which the rates of a plan apply. */
export const Basis = Schema.Literals(commissionBases).annotate({
  description:
    "The amount of the contract that the commission is a part of: the sum of the instalments (`GROSS`), the " +
    "principal, or the amount paid to the customer (`NET`)"
})

/** The lender and the table to which a rate or a contract belongs. */
export interface RateKey {
  /** Null: every lender. */
  readonly lender: string | null
  /** Null: every table of the lender. */
  readonly table: string | null
}

/**
 * A stored rate of a plan. In the plan of a root, it is the commission that the lender pays, as a share of the contract.
 * In any other plan, it is the share of the parent's commission.
 */
export interface StoredRate extends RateKey {
  readonly share: Share
}

/** A new plan, before it gets its position in the tree. */
export interface NewPlan {
  readonly plan_id: PlanId
  readonly partner_id: PartnerId
  readonly valid_from: CalendarDate
  /** Null below a root. Can be null in a root's plan without rates. */
  readonly basis: CommissionBasis | null
  readonly rates: ReadonlyArray<StoredRate>
  readonly created_at: Timestamp
  readonly created_by: string
  /** The partner of the principal that wrote the plan. */
  readonly writer_partner_id: PartnerId
}

/** A stored plan, with the position of its partner in the tree when the plan was written. */
export interface StoredPlan extends NewPlan {
  /** The ancestors of the partner, from its parent to the root. */
  readonly above: ReadonlyArray<PartnerId>
  /** The number of moves of the partner itself. */
  readonly moves: number
}

/** Maximum number of rates of a plan. */
export const maxRates = 500

const code = (description: string, example: string) =>
  field(nullWhenAbsent(textSchema({ min: 1, max: 64 })), description, example)

const key = {
  lender: code("The lender's code; null: every lender", "sandbox"),
  table: code("The code of the lender's fee table; null: every table. Requires `lender`.", "ouro")
}

export const NewRate = Schema.Struct({
  ...key,
  percent: field(
    Schema.optionalKey(SharePercent),
    "The percent of the contract that the lender pays (roots only)",
    12.5
  ),
  of_parent: field(
    Schema.optionalKey(SharePercent),
    "The percent that the partner receives of the commission of its parent (all other partners)",
    60
  )
})

/** The request body that writes a plan. */
export const NewPlanRequest = Schema.Struct({
  valid_from: field(CalendarDate, "The São Paulo day from which the plan counts: today or later", "2030-01-01"),
  basis: field(Schema.optionalKey(Basis), "The basis of the commission; required for a root, and for roots only"),
  rates: field(
    Schema.Array(NewRate).check(
      Schema.isMaxLength(maxRates, failsWith(problem("TOO_LONG", { max_items: maxRates })))
    ),
    "The rates, at most 500. The most specific one counts. Empty: the partner receives nothing.",
    [{ lender: null, table: null, percent: 12.5 }]
  )
}).annotate({
  identifier: "CreateCommissionPlanRequest",
  description: "Request body that writes a commission plan"
})
export type NewPlanRequest = typeof NewPlanRequest.Type
/** The JSON form of the request body that writes a plan. */
export type CreateCommissionPlanRequest = typeof NewPlanRequest.Encoded

const percentOrNull = (description: string) => field(Schema.NullOr(Schema.Finite), description, 60)

/** A rate of a plan, as a reader may see it. */
export const CommissionRate = Schema.Struct({
  lender: field(Schema.NullOr(Schema.String), "The lender's code; null: every lender", "sandbox"),
  table: field(Schema.NullOr(Schema.String), "The code of the lender's fee table; null: every table", "ouro"),
  percent: percentOrNull("The percent of the contract that the lender pays to the root; null below a root"),
  of_parent: percentOrNull(
    "The percent of the parent's commission; null for a root, and for readers that were not above the partner when " +
      "the plan was written"
  ),
  effective_percent: percentOrNull(
    "The percent of the contract that reaches the partner, rounded down; only in the partner's own plan, otherwise null"
  )
}).annotate({ identifier: "CommissionRate", description: "A rate of a commission plan" })
export type CommissionRate = typeof CommissionRate.Type

/** A commission plan, as a reader may see it. */
export const CommissionPlan = Schema.Struct({
  plan_id: PlanId,
  partner_id: field(PartnerId, "The partner that receives the commission"),
  valid_from: field(CalendarDate, "The São Paulo day from which the plan counts"),
  basis: field(Schema.NullOr(Basis), "The basis of the root's plan; null if the root has none", "NET"),
  rates: field(Schema.Array(CommissionRate), "The rates; the most specific one counts"),
  created_at: field(Timestamp, "When the plan was written"),
  created_by: field(
    Schema.NullOr(Schema.String),
    "The principal that wrote the plan; null if it is outside the reader's subtree",
    "0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051"
  )
}).annotate({ identifier: "CommissionPlan", description: "The part of a commission that a partner receives" })
export type CommissionPlan = typeof CommissionPlan.Type

/** A page of commission plans. */
export const CommissionPlansPage = pageSchema(CommissionPlan, "CommissionPlansPage")
