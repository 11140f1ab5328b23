import { Effect, Option, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeReference } from "../hierarchy/judgeParent.ts"
import { type InScope, scopeOf } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { idAt, PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type PartnerId, type ProposalId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { accrualsOf, basisAmountOf } from "./accruals.ts"
import { appendEntries } from "./appendEntries.ts"
import { freezeChain } from "./chain.ts"
import { CommissionLedger } from "./CommissionLedger.ts"
import { CommissionPlans } from "./CommissionPlans.ts"
import { CommissionSettings } from "./CommissionSettings.ts"
import { clawbacksOf } from "./entries.ts"
import {
  AcceptanceRequest,
  ContractRequest,
  type HostContract,
  type HostContractStatus,
  judgeContractStep,
  PaymentRequest,
  type StoredHostContract
} from "./HostContract.ts"
import { HostContracts } from "./HostContracts.ts"
import { judgePaidAt } from "./Payout.ts"

type Writing = Allowed<"commissions:write">

const publicContract = ({ contract_id, partner_id, status }: StoredHostContract): HostContract => ({
  contract_id,
  partner_id,
  status
})

/** Runs a change of a contract in one transaction, at most once for each idempotency key. */
const change = <E, R>(
  allowed: Writing,
  key: SentKey | undefined,
  effect: (at: Timestamp) => Effect.Effect<HostContract, E, R>
) => {
  const run = Effect.gen(function*() {
    const tree = yield* PartnerTree
    yield* tree.lock(allowed.caller.root_id, "shared")
    return yield* runOnce<HostContract & { readonly [name: string]: string }, never, void, never, never>(allowed, key, {
      present: ({ partner_id }) => tree.find(scopeOf(allowed), partner_id ?? allowed.caller.partner_id),
      owner: ({ partner_id }) => partner_id,
      record: ({ contract_id }) => contract_id
    }, Effect.void)(() =>
      Effect.flatMap(currentTimestamp, (at) => Effect.map(effect(at), (contract) => ({ ...contract })))
    )
  })
  return Effect.flatMap(UnitOfWork, (unit) => unit.atomically(run))
}

const record = (allowed: Writing, contract: StoredHostContract, at: Timestamp) =>
  recordChange({
    events: [],
    at,
    caller: allowed.caller,
    action: `commission_contract.${contract.status.toLowerCase()}`,
    subject_id: contract.contract_id,
    partner_id: contract.partner_id,
    after: { contract_id: contract.contract_id, status: contract.status }
  })

/** Finds a contract whose seller is in the caller's subtree, and locks it. */
const findContract = Effect.fnUntraced(function*(allowed: Writing, id: ProposalId) {
  const found = yield* (yield* HostContracts).findForUpdate(id)
  const isInside = Option.isSome(found) &&
    (yield* (yield* PartnerTree).contains(scopeOf(allowed), found.value.partner_id))
  return isInside ? found : Option.none<StoredHostContract>()
})

const refuseId = (code: "DUPLICATE" | "NOT_FOUND") =>
  new ValidationFailed({ problems: [fieldProblem("contract_id", problem(code))] })

const decodeAcceptance = decodeBody(AcceptanceRequest)

/**
 * Records that a contract of the host was accepted, and freezes its commission with the plans of that day. Recording
 * the same contract again returns the first record. The body is untrusted.
 */
export const recordAcceptance = (allowed: Writing, body: unknown, key?: SentKey) =>
  change(allowed, key, (at) =>
    Effect.gen(function*() {
      const named = idAt<PartnerId>(body, ["partner_id"])
      const found: Result.Result<InScope<PartnerId>, FieldProblem> = named === undefined
        ? Result.fail(fieldProblem("partner_id", problem("REQUIRED")))
        : judgeReference("partner_id", yield* (yield* PartnerTree).find(scopeOf(allowed), named))
      const { partner, request: { contract_id, lender, partner_id, table, ...amounts } } = yield* Effect.fromResult(
        combineChecks({ request: decodeAcceptance(body), partner: found })
      )
      const contracts = yield* HostContracts
      if (Option.isNone(yield* contracts.findForUpdate(contract_id))) {
        const links = yield* (yield* CommissionPlans).chain(partner_id, saoPauloDate(at))
        const contract: StoredHostContract = {
          contract_id,
          root_id: allowed.caller.root_id,
          partner_id,
          status: "ACCEPTED",
          frozen: freezeChain(links, { lender, table }),
          amounts,
          accepted_at: at
        }
        // If a simultaneous request has stored the contract, it has recorded the change, too.
        if (yield* contracts.insert(partner, contract)) yield* record(allowed, contract, at)
      }
      // The id can belong to a contract of another tree.
      const own = yield* findContract(allowed, contract_id)
      return Option.isSome(own) ? publicContract(own.value) : yield* refuseId("DUPLICATE")
    }))

/** Moves a contract to a status. `append` writes the commission entries of this step. */
const moveTo = <E, R>(
  allowed: Writing,
  id: ProposalId,
  status: Exclude<HostContractStatus, "ACCEPTED">,
  at: Timestamp,
  append: (contract: StoredHostContract) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function*() {
    const found = yield* findContract(allowed, id)
    if (Option.isNone(found)) return yield* refuseId("NOT_FOUND")
    const isChanged = yield* Effect.fromResult(judgeContractStep(found.value.status, status))
    if (!isChanged) return publicContract(found.value)
    const after = { ...found.value, status }
    yield* (yield* HostContracts).setStatus(id, status)
    yield* append(found.value)
    yield* record(allowed, after, at)
    return publicContract(after)
  })

const decodePayment = decodeBody(PaymentRequest)

/** Records that the customer was paid, and writes the commission entries of the frozen chain. The body is untrusted. */
export const recordPayment = (allowed: Writing, body: unknown, key?: SentKey) =>
  change(allowed, key, (at) =>
    Effect.gen(function*() {
      const { request } = yield* Effect.fromResult(Result.flatMap(decodePayment(body), (request) =>
        combineChecks({ request: Result.succeed(request), paid_at: judgePaidAt(request.paid_at, at) })))
      const { hold_ms } = yield* CommissionSettings
      return yield* moveTo(allowed, request.contract_id, "PAID", at, ({ amounts, contract_id, frozen }) => {
        const final = request.amounts ?? amounts
        return frozen === null ? Effect.void : appendEntries(
          accrualsOf({
            proposal_id: contract_id,
            frozen,
            basis_amount: basisAmountOf(frozen.basis, final),
            reference: request.reference ?? null,
            paid_amount: final.net_amount,
            paid_at: request.paid_at,
            at
          }, hold_ms),
          at
        )
      })
    }))

const decodeContract = decodeBody(ContractRequest)

/** Records that a paid contract was reversed, and negates its commission entries. The body is untrusted. */
export const recordReversal = (allowed: Writing, body: unknown, key?: SentKey) =>
  change(allowed, key, (at) =>
    Effect.gen(function*() {
      const { contract_id } = yield* Effect.fromResult(decodeContract(body))
      return yield* moveTo(allowed, contract_id, "REVERSED", at, () =>
        Effect.gen(function*() {
          const accruals = yield* (yield* CommissionLedger).accruals(contract_id)
          yield* appendEntries(clawbacksOf(accruals, at), at)
        }))
    }))

/** Records that a contract ended without a payment. Nobody earns a commission. The body is untrusted. */
export const recordEnd = (allowed: Writing, body: unknown, key?: SentKey) =>
  change(allowed, key, (at) =>
    Effect.gen(function*() {
      const { contract_id } = yield* Effect.fromResult(decodeContract(body))
      return yield* moveTo(allowed, contract_id, "ENDED", at, () => Effect.void)
    }))
