import { Effect, Schema } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { callerKey } from "../access/Caller.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { field } from "../input/field.ts"
import { atLender, findLender, type LenderRegistry, lenderRegistry } from "../lender/Lenders.ts"
import { RoutingRepository } from "../lender/RoutingRepository.ts"
import { type LenderName } from "../offer/QuotePart.ts"
import { readList } from "../ports/CostlyReads.ts"
import { knownExitsOfLender } from "./exitsOfLender.ts"
import { routingOf } from "./routedLenders.ts"

/** A lender, as callers see it. */
export const LenderItem = Schema.Struct({
  code: field(Schema.String, "Code of the lender, for programs", "parana"),
  label: field(Schema.String, "Name of the lender, for people", "Paraná Banco"),
  status: field(
    Schema.Literals(["ACTIVE", "DRAINING", "STOPPED", "UNAVAILABLE"]),
    "`ACTIVE`: gets new quotes. `DRAINING`: gets no new quotes, and its offers can be accepted. `STOPPED`: none of its offers can be " +
      "accepted. `UNAVAILABLE`: the installation no longer has this lender. Contracts with lenders that are not `UNAVAILABLE` go on",
    "ACTIVE"
  ),
  kyc_fields: field(Schema.Array(Schema.String), "KYC fields that the lender requires besides the usual ones", []),
  exits: field(
    Schema.NullOr(Schema.Struct({
      cancel: field(Schema.Boolean, "True if a contract can be cancelled before its payment", true),
      refund: field(Schema.Boolean, "True if a paid contract can be refunded", true),
      signature_link: field(Schema.Boolean, "True if a new signature link can be requested", true)
    })),
    "Requests that the lender supports for its contracts. Null if they are not known now",
    null
  )
}).annotate({ identifier: "LenderItem", description: "A lender" })
export type LenderItem = typeof LenderItem.Type

/** Response of `listLenders`. */
export const ListOfLendersResponse = Schema.Struct({
  data: field(Schema.Array(LenderItem), "The lenders: those of the routing first, in its order")
}).annotate({ identifier: "ListOfLendersResponse", description: "The lenders" })

const itemOf = (registry: LenderRegistry, { code, label }: LenderName): Effect.Effect<LenderItem> => {
  const lender = findLender(registry, code)
  if (lender === undefined) {
    return Effect.succeed({ code, label, status: "UNAVAILABLE", kyc_fields: [], exits: null })
  }
  const statuses = { active: "ACTIVE", draining: "DRAINING", stopped: "STOPPED" } as const
  return Effect.map(atLender(lender)(knownExitsOfLender), (exits) => ({
    code,
    label: lender.label,
    status: statuses[lender.status],
    kyc_fields: lender.lender.requirements.kyc_fields,
    exits
  }))
}

/**
 * Returns the lenders of the caller's effective routing, and those of the contracts in the caller's subtree. Calls no
 * lender.
 */
export const listLenders = Effect.fnUntraced(function*(allowed: Allowed<"fgts:read">) {
  const { caller } = allowed
  const registry = yield* lenderRegistry
  const { lenders } = yield* routingOf(registry, caller.partner_id)
  const { lendersOfContracts } = yield* RoutingRepository
  const contracted = yield* readList(
    { root: caller.root_id, key: callerKey(caller) },
    (budget) => lendersOfContracts(scopeOf(allowed), lenders, budget)
  )
  const others = contracted.toSorted((a, b) => a.code < b.code ? -1 : 1)
  const named = [...lenders.map((code): LenderName => ({ code, label: code })), ...others]
  return yield* Effect.forEach(named, (name) => itemOf(registry, name))
})
