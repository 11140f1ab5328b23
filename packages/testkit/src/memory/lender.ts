import {
  type DocumentReference,
  DocumentSource,
  DocumentUnavailable,
  freshThrottle,
  judgeEntry,
  leaveThrottle,
  LenderThrottle,
  RoutingRepository,
  type ThrottleState
} from "@lastro/domain/lender"
import { acceptedOffer } from "@lastro/domain/loan"
import { ReadBudgetExceeded } from "@lastro/domain/ports"
import { Clock, Context, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { put, treeOf, withoutEntry } from "./MemoryState.ts"

/** Stores documents that a `DocumentSource` can read. Only the contract suite of this port requires this service. */
export class StoredDocuments extends Context.Service<StoredDocuments, {
  /** Stores a document and returns its reference. */
  readonly store: (content: Uint8Array) => Effect.Effect<string>
  /** Maximum size of a document in bytes. */
  readonly maxBytes: number
}>()("@lastro/testkit/memory/lender/StoredDocuments") {}

const maxBytes = 64 * 1024

const prefix = "memory/"

const fail = (reason: DocumentUnavailable["reason"]) => Effect.fail(new DocumentUnavailable({ reason }))

const sha256Of = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new Uint8Array(bytes))),
    (digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

/** Provides a document source with the documents that a test stores. References begin with `memory/`. */
export const layerDocumentSource: Layer.Layer<DocumentSource | StoredDocuments> = Layer.effectContext(
  Effect.sync(() => {
    const documents = new Map<string, Uint8Array>()
    const read = ({ reference, sha256 }: DocumentReference) =>
      Effect.suspend(() => {
        if (!reference.startsWith(prefix)) return fail("REFUSED")
        const bytes = documents.get(reference)
        if (bytes === undefined) return fail("NOT_FOUND")
        if (bytes.length > maxBytes) return fail("TOO_LARGE")
        const content = { bytes, name: reference.slice(prefix.length) }
        return sha256 === null
          ? Effect.succeed(content)
          : Effect.flatMap(sha256Of(bytes), (actual) => actual === sha256 ? Effect.succeed(content) : fail("CHANGED"))
      })
    return Context.make(DocumentSource, DocumentSource.of({ read })).pipe(
      Context.add(
        StoredDocuments,
        StoredDocuments.of({
          maxBytes,
          store: (content) =>
            Effect.sync(() => {
              const reference = `${prefix}${documents.size + 1}.bin`
              documents.set(reference, content)
              return reference
            })
        })
      )
    )
  })
)

/** Keeps the throttle of each lender in memory. */
export const layerLenderThrottle = Layer.sync(LenderThrottle, () => {
  const states = new Map<string, ThrottleState>()
  let calls = 0
  const stateOf = (lender: string) => states.get(lender) ?? freshThrottle
  return LenderThrottle.of({
    enter: (request, limits) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const call = String(++calls)
        const [state, entry] = judgeEntry(stateOf(request.lender), { at, call, limits, request })
        states.set(request.lender, state)
        return entry
      }),
    leave: (lender, call) =>
      Effect.sync(() => {
        states.set(lender, leaveThrottle(stateOf(lender), call))
      })
  })
})

/** In-memory `RoutingRepository`. */
export const layerRoutingRepository = Layer.effect(
  RoutingRepository,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    RoutingRepository.of({
      chainOf: (partner) =>
        Effect.map(state, (now) =>
          treeOf(now).pathToRoot(partner).map((partner_id) => ({
            partner_id,
            routing: now.routings.get(partner_id) ?? null
          }))),
      save: ({ record }, routing) => update((now) => put(now, "routings", record.partner_id, routing)),
      remove: ({ record }) => update((now) => ({ ...now, routings: withoutEntry(now.routings, record.partner_id) })),
      lendersOfContracts: ({ partner_id }, except, budget = Number.POSITIVE_INFINITY) =>
        Effect.flatMap(state, (now) => {
          const labels = new Map<string, string>()
          let examined = 0
          for (const { application } of now.applications.values()) {
            const code = application.proposal === null ? undefined : acceptedOffer(application)?.lender
            if (
              code === undefined || except.includes(code) || !treeOf(now).isWithin(partner_id, application.partner_id)
            ) continue
            examined += 1
            labels.set(code, application.proposal?.lender?.label ?? code)
          }
          return examined > budget
            ? Effect.fail(new ReadBudgetExceeded())
            : Effect.succeed(Array.from(labels, ([code, label]) => ({ code, label })))
        })
    }))
)
