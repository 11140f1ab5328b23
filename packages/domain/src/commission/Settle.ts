import { Effect, Result, Schema, Struct } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeReference } from "../hierarchy/judgeParent.ts"
import { type InScope, scopeOf } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { readAt, valueAt } from "../input/valueAt.ts"
import { IdGenerator } from "../ports/generators.ts"
import { idAt, PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { reaisOf, zeroCentavos } from "../values/Centavos.ts"
import { type PartnerId, type ProposalId } from "../values/ids.ts"
import { parseTimestamp } from "../values/parseTimestamp.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { appendEntries } from "./appendEntries.ts"
import {
  AdjustCommissionRequest,
  CloseCommissionsRequest,
  type ClosingId,
  closingLimit,
  type CommissionClosing,
  judgeClosing
} from "./Closing.ts"
import { type CommissionEntry, type PayoutId, publicEntry } from "./CommissionEntry.ts"
import { CommissionLedger } from "./CommissionLedger.ts"
import { CommissionPlans } from "./CommissionPlans.ts"
import { CommissionSettlement } from "./CommissionSettlement.ts"
import { adjustmentOf } from "./entries.ts"
import { judgeStrictlyBelow } from "./judgePlan.ts"
import {
  type CommissionPayout,
  CreatePayoutRequest,
  judgePaidAt,
  judgePayout,
  netAmountOf,
  publicPayout,
  type StoredPayout
} from "./Payout.ts"
import { parsePeriod, periodOf } from "./period.ts"

/** The partner in a request, and the time to record. */
interface Target {
  readonly partner: InScope<PartnerId>
  readonly at: Timestamp
}

/**
 * Runs a change of a partner's commissions in one transaction, at most once for each idempotency key. The body names
 * the partner at `partner_id`. `parse` validates the untrusted body, and `change` receives the result. `recordOf`
 * returns the id of the record. If `ownRoot` is true, the partner can also be the caller's own root (COMM-05).
 *
 * The audit entry has no amount: after a move of the partner, callers who may not see the amount can read the entry.
 */
const settle = <A extends Schema.Json & { readonly partner_id: PartnerId }, P, E, R, E2, R2>(
  allowed: Allowed<"commissions:write">,
  body: unknown,
  key: SentKey | undefined,
  { change, ownRoot, parse, recordOf }: {
    readonly ownRoot: boolean
    readonly parse: (at: Timestamp) => Effect.Effect<Result.Result<P, ValidationFailed>, E2, R2>
    readonly change: (parsed: P, target: Target) => Effect.Effect<A, E, R>
    readonly recordOf: (answer: A) => string
  }
) => {
  const { caller } = allowed
  const run = Effect.gen(function*() {
    const tree = yield* PartnerTree
    yield* tree.lock(caller.root_id, "shared")
    const named = idAt<PartnerId>(body, ["partner_id"])
    if (named !== undefined) yield* Effect.fromResult(judgeStrictlyBelow(caller, named, { ownRoot }))
    const found: Result.Result<InScope<PartnerId>, FieldProblem> = named === undefined
      ? Result.fail(fieldProblem("partner_id", problem("REQUIRED")))
      : judgeReference("partner_id", yield* tree.find(scopeOf(allowed), named))
    return yield* runOnce(allowed, key, {
      present: ({ partner_id }: Partial<A>) => tree.find(scopeOf(allowed), partner_id ?? caller.partner_id),
      owner: ({ partner_id }: A) => partner_id,
      record: recordOf
    }, Effect.void)(Effect.fnUntraced(function*() {
      const at = yield* currentTimestamp
      const { parsed, partner } = yield* Effect.fromResult(combineChecks({ parsed: yield* parse(at), partner: found }))
      return yield* change(parsed, { partner, at })
    }))
  })
  return Effect.flatMap(UnitOfWork, (unit) => unit.atomically(run))
}

const decodeAdjustment = decodeBody(AdjustCommissionRequest)

const isZero = fieldProblem("amount", problem("OUT_OF_RANGE", { not: 0 }))

/** Finds the contract to which an adjustment belongs. It must be in the caller's subtree. */
const findContract = Effect.fnUntraced(function*(allowed: Allowed<"commissions:write">, body: unknown) {
  const named = idAt<ProposalId>(body, ["proposal_id"])
  if (named === undefined) return Result.succeed<ProposalId | null>(null)
  const found = yield* (yield* CommissionLedger).findContract(scopeOf(allowed), named)
  return Result.map(judgeReference("proposal_id", found), ({ record }): ProposalId | null => record)
})

/** Adjusts the balance of a partner strictly below the caller's own. The body is untrusted. */
export const adjustCommission = (allowed: Allowed<"commissions:write">, body: unknown, key?: SentKey) =>
  settle(allowed, body, key, {
    ownRoot: false,
    recordOf: ({ entry_id }: CommissionEntry) => entry_id,
    parse: () =>
      Effect.map(findContract(allowed, body), (contract) => {
        const amount: Result.Result<void, FieldProblem> = valueAt(body, ["amount"]) === 0
          ? Result.fail(isZero)
          : Result.void
        return combineChecks({ request: decodeAdjustment(body), amount, contract })
      }),
    change: Effect.fnUntraced(function*({ contract, request: { amount, note } }, { at, partner }) {
      const links = yield* (yield* CommissionPlans).chain(partner.record, saoPauloDate(at))
      const path = links.map(({ partner_id }) => partner_id).toReversed()
      const draft = adjustmentOf({ amount, note, proposal_id: contract }, path, partner.record, at)
      const [entry] = yield* appendEntries([draft], at)
      if (entry === undefined) return yield* Effect.die(new Error("The adjustment was not appended"))
      const answer: CommissionEntry = publicEntry(entry)
      yield* recordChange({
        events: [],
        at,
        caller: allowed.caller,
        action: "commission.adjust",
        subject_id: entry.entry_id,
        partner_id: partner.record,
        after: { entry_id: entry.entry_id, proposal_id: contract }
      })
      return answer
    })
  })

const decodeClosing = decodeBody(CloseCommissionsRequest)

/**
 * Closes a period of a descendant of the caller's own partner, or of that partner itself if it is a root. A repeated
 * request closes the entries that have become payable since, or that were too many for one request. The body is
 * untrusted.
 */
export const closeCommissions = (allowed: Allowed<"commissions:write">, body: unknown, key?: SentKey) =>
  settle(allowed, body, key, {
    ownRoot: true,
    recordOf: ({ closing_id }: CommissionClosing) => closing_id,
    parse: (at) =>
      Effect.sync(() => {
        const period = readAt(body, ["period"], parsePeriod)
        const ended = period === undefined ? Result.void : judgeClosing(period, periodOf(saoPauloDate(at)))
        return combineChecks({ request: decodeClosing(body), ended })
      }),
    change: Effect.fnUntraced(function*({ request: { period } }, { at, partner }) {
      const settlement = yield* CommissionSettlement
      const scope = scopeOf(allowed)
      const isRoot = partner.record === allowed.caller.root_id
      const unpaid = isRoot ? null : yield* settlement.closedSum(scope, partner, periodOf(saoPauloDate(at)))
      const closed = yield* settlement.close(scope, partner, {
        closing_id: (yield* (yield* IdGenerator).next) as ClosingId,
        period,
        at,
        created_by: allowed.caller.subject,
        today: saoPauloDate(at),
        limit: closingLimit(unpaid)
      })
      yield* recordChange({
        events: [],
        at,
        caller: allowed.caller,
        action: "commission.close",
        subject_id: closed.closing_id,
        partner_id: partner.record,
        after: { closing_id: closed.closing_id, period }
      })
      const answer: CommissionClosing = {
        closing_id: closed.closing_id,
        partner_id: partner.record,
        period,
        created_at: closed.created_at,
        entries: closed.entries,
        amount: reaisOf(closed.amount),
        complete: closed.is_complete
      }
      return answer
    })
  })

const decodePayout = decodeBody(CreatePayoutRequest)

const decodeAmounts = decodeBody(Schema.Struct(Struct.pick(CreatePayoutRequest.fields, ["amount", "withheld"])))

/** Checks the withheld taxes of a payout, unless its amounts are invalid, which `decodePayout` reports. */
const netAmountIn = (body: unknown) => {
  const [amount, withheld] = [valueAt(body, ["amount"]), valueAt(body, ["withheld"])]
  return Result.match(decodeAmounts({ amount, ...withheld === undefined ? {} : { withheld } }), {
    onFailure: () => Result.succeed(zeroCentavos),
    onSuccess: netAmountOf
  })
}

/** Records a payout to a partner strictly below the caller's own. The body is untrusted. */
export const createCommissionPayout = (allowed: Allowed<"commissions:write">, body: unknown, key?: SentKey) =>
  settle(allowed, body, key, {
    ownRoot: false,
    recordOf: ({ payout_id }: CommissionPayout) => payout_id,
    parse: (at) =>
      Effect.sync(() => {
        const paid_at = readAt(body, ["paid_at"], parseTimestamp)
        return combineChecks({
          request: decodePayout(body),
          net_amount: netAmountIn(body),
          paid_at: paid_at === undefined ? Result.void : judgePaidAt(paid_at, at)
        })
      }),
    change: Effect.fnUntraced(function*({ net_amount, request }, { at, partner }) {
      const { caller } = allowed
      const settlement = yield* CommissionSettlement
      const scope = scopeOf(allowed)
      const closed = yield* settlement.closedSum(scope, partner, request.period)
      yield* Effect.fromResult(judgePayout(request.amount, closed.amount))
      const above = (yield* (yield* CommissionPlans).chain(caller.partner_id, saoPauloDate(at))).toReversed()
      const payout: StoredPayout = {
        payout_id: (yield* (yield* IdGenerator).next) as PayoutId,
        partner_id: partner.record,
        viewers: [partner.record, ...above.map(({ partner_id }) => partner_id)],
        period: request.period,
        amount: request.amount,
        withheld: request.withheld ?? [],
        net_amount,
        reference: request.reference,
        paid_at: request.paid_at,
        created_at: at
      }
      yield* settlement.pay(scope, partner, payout)
      yield* recordChange({
        events: [],
        at,
        caller,
        action: "commission.payout",
        subject_id: payout.payout_id,
        partner_id: partner.record,
        after: { payout_id: payout.payout_id, period: payout.period }
      })
      const answer: CommissionPayout = publicPayout(payout)
      return answer
    })
  })
