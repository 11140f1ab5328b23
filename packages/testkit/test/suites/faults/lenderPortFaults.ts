import { asOperator } from "@lastro/domain/hierarchy"
import { DocumentSource, DocumentUnavailable, LenderThrottle, RoutingRepository } from "@lastro/domain/lender"
import { documentSourceSuite, lenderThrottleSuite, routingRepositorySuite } from "@lastro/testkit/suites"
import { type Context, Effect } from "effect"
import { type Fault, faultOf } from "./Fault.ts"

type Documents = Context.Service.Shape<typeof DocumentSource>
const throttle = faultOf("LenderThrottle", LenderThrottle, lenderThrottleSuite)
const documents = faultOf("DocumentSource", DocumentSource, documentSourceSuite)
const routings = faultOf("RoutingRepository", RoutingRepository, routingRepositorySuite)

/** Reads as before, but fails in another way. */
const failing =
  (change: (error: DocumentUnavailable, reference: string) => DocumentUnavailable) =>
  ({ read }: Documents): Documents => ({
    read: (document) => Effect.mapError(read(document), (error) => change(error, document.reference))
  })

/** Broken ports that lender adapters and their callers use. */
export const lenderPortFaults: ReadonlyArray<Fault> = [
  routings("the chain begins at the root", /and its ancestors up to the root/, ({ chainOf }) => ({
    chainOf: (partner) => Effect.map(chainOf(partner), (chain) => chain.toReversed())
  })),
  routings("the chain lacks the root", /and its ancestors up to the root/, ({ chainOf }) => ({
    chainOf: (partner) => Effect.map(chainOf(partner), (chain) => chain.slice(0, Math.max(chain.length - 1, 1)))
  })),
  routings("an unknown partner has a chain", /unknown partner is empty/, ({ chainOf }) => ({
    chainOf: (partner_id) =>
      Effect.map(chainOf(partner_id), (chain) => chain.length === 0 ? [{ partner_id, routing: null }] : chain)
  })),
  routings("a routing is never replaced", /`save` replaces a routing/, ({ chainOf, save }) => ({
    save: (partner, routing) =>
      Effect.flatMap(
        chainOf(partner.record.partner_id),
        ([own]) => own === undefined || own.routing === null ? save(partner, routing) : Effect.void
      )
  })),
  routings("remove keeps the routing", /`remove` removes it/, () => ({ remove: () => Effect.void })),
  routings("the lenders of the whole tree are listed", /each lender of the contracts in scope/, (sound) => ({
    lendersOfContracts: (scope, except) =>
      Effect.flatMap(
        sound.chainOf(scope.partner_id),
        (chain) => sound.lendersOfContracts(asOperator.scope(chain.at(-1)?.partner_id ?? scope.partner_id), except)
      )
  })),
  routings("no lender is excepted", /each lender of the contracts in scope/, ({ lendersOfContracts }) => ({
    lendersOfContracts: (scope) => lendersOfContracts(scope, [])
  })),
  routings("the budget is ignored", /stays within its budget/, ({ lendersOfContracts }) => ({
    lendersOfContracts: (scope, except) => lendersOfContracts(scope, except)
  })),
  throttle("a rate is ignored", /closer together than the rate/, ({ enter }) => ({
    enter: (request, limits) => enter(request, { ...limits, requests_per_second: null })
  })),
  throttle("the number of calls in progress is not limited", /never exceed `max_in_flight`/, ({ enter }) => ({
    enter: (request, limits) => enter(request, { ...limits, max_in_flight: null })
  })),
  throttle("a caller that returns gets another time slot", /first come, first served/, ({ enter }) => ({
    enter: (request, limits) => enter({ ...request, slot_at: null }, limits)
  })),
  throttle("all lenders share one order", /first come, first served/, ({ enter }) => ({
    enter: (request, limits) => enter({ ...request, lender: "every" }, limits)
  })),
  throttle("a caller that comes later overtakes", /enters before callers that came later/, ({ enter }) => {
    let first = 0
    return { enter: (request, limits) => enter({ ...request, slot_at: request.slot_at ?? --first }, limits) }
  }),
  throttle("leave makes no room", /`leave` makes room/, () => ({ leave: () => Effect.void })),
  throttle("leave ends another call for an unknown one", /`leave` ignores an unknown call/, ({ enter, leave }) => {
    const calls: Array<string> = []
    return {
      enter: (request, limits) =>
        Effect.tap(
          enter(request, limits),
          (entry) => Effect.sync(() => void (entry._tag === "ENTERED" && calls.push(entry.call)))
        ),
      leave: (name, call) => leave(name, calls.includes(call) ? call : calls.at(-1) ?? call)
    }
  }),
  documents("read ignores the SHA-256", /CHANGED for other content/, ({ read }) => ({
    read: (document) => read({ ...document, sha256: null })
  })),
  documents("read returns a name with a path", /byte by byte/, ({ read }) => ({
    read: (document) => Effect.map(read(document), (content) => ({ ...content, name: document.reference }))
  })),
  documents(
    "a missing document counts as unreachable",
    /NOT_FOUND if there is no document/,
    failing((error) => error.reason === "NOT_FOUND" ? new DocumentUnavailable({ reason: "UNREACHABLE" }) : error)
  ),
  documents(
    "a reference of another form counts as missing",
    /REFUSED for a reference/,
    failing((error) => error.reason === "REFUSED" ? new DocumentUnavailable({ reason: "NOT_FOUND" }) : error)
  ),
  documents("read cuts a document at the limit", /TOO_LARGE above the limit/, ({ read }) => ({
    read: (document) =>
      Effect.catchIf(
        read(document),
        ({ reason }) => reason === "TOO_LARGE",
        () => Effect.succeed({ bytes: new Uint8Array(), name: "part" })
      )
  })),
  documents(
    "a failure contains the reference",
    /contains neither the reference/,
    failing((error, reference) => Object.assign(error, { reference }))
  )
]
