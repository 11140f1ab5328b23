import { Effect, Schema } from "effect"
import { type Allowed, type AuthorizedAction } from "../access/Authorization.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { field } from "../input/field.ts"
import { isSame } from "../input/json.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { valueAt } from "../input/valueAt.ts"
import { quoteStrategies } from "../offer/QuotePart.ts"
import { PartnerRepository } from "../partner/PartnerRepository.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { lenderRegistry } from "./Lenders.ts"
import { effectiveRouting, judgeNamedLenders, judgeRoutingChange, lenderCodes, type Routing } from "./Routing.ts"
import { RoutingRepository } from "./RoutingRepository.ts"

const strategy = field(
  Schema.Literals(quoteStrategies),
  "Order in which a quote requests the lenders. `ALL`: all at the same time. `FIRST`: one after the other, until one has an offer",
  "ALL"
)

/** Request body that sets the routing of a partner, as a whole. */
export const PutRoutingRequest = Schema.Struct({
  strategy,
  lenders: field(
    lenderCodes,
    "Codes of the lenders, in order of preference: at least one, each only once. The effective routing of the partner above must " +
      "have all of them",
    ["parana", "qi"]
  )
}).annotate({ identifier: "PutRoutingRequest", description: "Request body that sets the routing of a partner" })
export interface PutRoutingRequest extends Schema.Schema.Type<typeof PutRoutingRequest> {}

/** The routing of a partner. */
export const PartnerRouting = Schema.Struct({
  strategy,
  lenders: field(Schema.Array(Schema.String), "Codes of the partner's own routing; empty if it has none", [
    "parana",
    "qi"
  ]),
  effective: field(
    Schema.Array(Schema.String),
    "Codes of the lenders that the partner can use, in order of preference: those that its routing and the routings above it all name",
    ["parana"]
  ),
  inherited: field(Schema.Boolean, "True if the partner has no routing of its own", false),
  inherited_from: field(
    Schema.NullOr(PartnerId),
    "The ancestor whose routing the partner has. Null if it has its own, if no ancestor has one, or if the ancestor is outside the " +
      "caller's subtree",
    null
  ),
  version: field(Schema.Int, "Number of changes of the partner's own routing; 0 if it has none", 1)
}).annotate({ identifier: "PartnerRouting", description: "The routing of a partner" })
export interface PartnerRouting extends Schema.Schema.Type<typeof PartnerRouting> {}

/** Response with the routing of a partner. */
export const PartnerRoutingResponse = Schema.Struct({ data: PartnerRouting }).annotate({
  identifier: "PartnerRoutingResponse",
  description: "The routing"
})

const decodeRouting = decodeBody(PutRoutingRequest)

/** Reads the routing of a partner, and the lenders that its ancestors' routings allow. */
const readRouting = Effect.fnUntraced(function*(allowed: Allowed<AuthorizedAction>, id: PartnerId) {
  const installed = (yield* lenderRegistry).lenders.map(({ code }) => code)
  const chain = yield* (yield* RoutingRepository).chainOf(id)
  const { lenders: effective, source, strategy } = effectiveRouting(chain, installed)
  const own = chain[0]?.routing ?? null
  const isVisible = source !== null && source !== id && (yield* (yield* PartnerTree).contains(scopeOf(allowed), source))
  const shown: PartnerRouting = {
    strategy,
    lenders: own?.lenders ?? [],
    effective,
    inherited: own === null,
    inherited_from: isVisible ? source : null,
    version: own?.version ?? 0
  }
  return { shown, allowed: effectiveRouting(chain.slice(1), installed).lenders }
})

/** Returns the routing of a partner in the caller's subtree. */
export const getRouting = Effect.fnUntraced(function*(allowed: Allowed<"partners:read">, id: PartnerId) {
  yield* Effect.fromResult(judgeFound(yield* (yield* PartnerRepository).find(scopeOf(allowed), id)))
  return (yield* readRouting(allowed, id)).shown
})

/** Locks a partner for a change of its routing, and checks the precondition on the routing. */
const lockRouting = Effect.fnUntraced(function*(
  allowed: Allowed<"partners:write">,
  id: PartnerId,
  expected: Precondition<PartnerRouting>
) {
  const { caller } = allowed
  yield* (yield* PartnerTree).lock(caller.root_id, "shared")
  const found = yield* (yield* PartnerRepository).findForUpdate(scopeOf(allowed), id)
  const partner = yield* Effect.fromResult(judgeFound(found))
  yield* Effect.fromResult(judgeRoutingChange(caller, id))
  const present = yield* readRouting(allowed, id)
  yield* Effect.fromResult(judgePrecondition(present.shown, expected))
  return { ...present, partner }
})

const audited = ({ lenders, strategy }: Pick<Routing, "lenders" | "strategy">) => ({ strategy, lenders: [...lenders] })

/**
 * Sets the routing of a partner. ROUTE-03 limits the callers. The body is untrusted. `expected` is the precondition on
 * the stored routing. Setting the same routing again changes nothing.
 */
export const putRouting = Effect.fnUntraced(function*(
  allowed: Allowed<"partners:write">,
  id: PartnerId,
  body: unknown,
  expected: Precondition<PartnerRouting> = anyState
) {
  const put = Effect.gen(function*() {
    const { allowed: usable, partner, shown } = yield* lockRouting(allowed, id, expected)
    const { request } = yield* Effect.fromResult(combineChecks({
      lenders: judgeNamedLenders(valueAt(body, ["lenders"]), usable),
      request: decodeRouting(body)
    }))
    if (!shown.inherited && isSame(audited(request), audited(shown))) return shown
    const next: Routing = { ...request, version: shown.version + 1 }
    yield* (yield* RoutingRepository).save(partner, next)
    yield* recordChange({
      events: [],
      at: yield* currentTimestamp,
      caller: allowed.caller,
      action: "routing.update",
      subject_id: id,
      partner_id: id,
      ...(shown.inherited ? {} : { before: audited(shown) }),
      after: audited(next)
    })
    return (yield* readRouting(allowed, id)).shown
  })
  return yield* (yield* UnitOfWork).atomically(put)
})

/**
 * Removes the routing of a partner, which then has that of its nearest ancestor. ROUTE-03 limits the callers. A partner
 * without a routing is unchanged.
 */
export const deleteRouting = Effect.fnUntraced(function*(
  allowed: Allowed<"partners:write">,
  id: PartnerId,
  expected: Precondition<PartnerRouting> = anyState
) {
  const remove = Effect.gen(function*() {
    const { partner, shown } = yield* lockRouting(allowed, id, expected)
    if (shown.inherited) return
    yield* (yield* RoutingRepository).remove(partner)
    yield* recordChange({
      events: [],
      at: yield* currentTimestamp,
      caller: allowed.caller,
      action: "routing.delete",
      subject_id: id,
      partner_id: id,
      before: audited(shown)
    })
  })
  yield* (yield* UnitOfWork).atomically(remove)
})
