import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { acceptedOffer, type Application, lastExpiryOf, type Proposal, referenceOf } from "@lastro/domain/loan"
import { ApplicationRepository, type ExpiredQuote } from "@lastro/domain/origination"
import { type ApplicationId, millisOf, type Timestamp } from "@lastro/domain/values"
import { Array as Arr, Effect, Equal, Layer, Option, Result, Stream } from "effect"
import { applicationSlice, countPlaces, matchingApplications } from "./applicationSlice.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import {
  alter,
  type MemoryState,
  put,
  rootOf,
  sealWithin,
  type StoredApplication,
  treeOf,
  withPartner
} from "./MemoryState.ts"

const allOf = (state: MemoryState): ReadonlyArray<Application> =>
  Array.from(state.applications.values(), (stored) => withPartner(state, stored))

const applicationsIn = (state: MemoryState, { partner_id: top }: SubtreeScope): ReadonlyArray<Application> => {
  const tree = treeOf(state)
  return allOf(state).filter(({ partner_id }) => tree.isWithin(top, partner_id))
}

/** Returns the code of the lender of a contract. Undefined if none is stored. */
const lenderOf = (application: Application): string | undefined => acceptedOffer(application)?.lender

/** Finds the proposal whose contract has this reference at a lender. */
const findHolder = (state: MemoryState, reference: string, lender: string | undefined): Option.Option<Proposal> =>
  Arr.findFirst(
    allOf(state),
    (application) => {
      const { proposal } = application
      const code = lenderOf(application)
      const isSameLender = code === undefined || lender === undefined || code === lender
      return proposal !== null && referenceOf(proposal) === reference && isSameLender
        ? Option.some(proposal)
        : Option.none()
    }
  )

/** Returns whether another proposal has the same reference as this proposal. */
const isReferenceRepeated = (state: MemoryState, application: Application): boolean => {
  const { proposal } = application
  const reference = proposal === null ? null : referenceOf(proposal)
  return reference !== null &&
    Option.exists(
      findHolder(state, reference, lenderOf(application)),
      (holder) => holder.proposal_id !== proposal?.proposal_id
    )
}

const newestFirst = (a: Application, b: Application): number => {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? 1 : -1
  return a.application_id < b.application_id ? 1 : -1
}

/** Replaces the fields that `save` changes. */
const mergeStored = (
  stored: StoredApplication,
  { cancellation, kyc, proposal, quotes, requirements, updated_at, version }: Application
) => ({
  application: {
    ...stored.application,
    quotes,
    kyc,
    requirements,
    cancellation,
    proposal,
    updated_at,
    version
  },
  kyc_at: Equal.equals(stored.application.kyc, kyc) ? stored.kyc_at : updated_at
})

/** A quote that `takeExpired` has not returned yet, and the time at which its last offer expires. */
interface ExpiringQuote extends ExpiredQuote {
  readonly last: Timestamp
  /** The number of offers of the quote. */
  readonly offers: number
}

/** Returns the quote that `takeExpired` takes next. */
const firstExpiring = (now: MemoryState): ExpiringQuote | undefined => {
  let first: ExpiringQuote | undefined
  for (const application of allOf(now)) {
    for (const quote of application.quotes) {
      const last = lastExpiryOf(quote)
      if (last === null || now.expiredQuotes.get(quote.quote_id) === quote.offers.length) continue
      if (first === undefined || last < first.last) {
        first = { application, quote_id: quote.quote_id, last, offers: quote.offers.length }
      }
    }
  }
  return first
}

/** Returns the time in milliseconds from which `takeExpired` returns a quote. Infinity if there is none. */
export const nextExpiryMs = (now: MemoryState): number => {
  const first = firstExpiring(now)
  return first === undefined ? Infinity : millisOf(first.last)
}

/** In-memory `ApplicationRepository`. Units of work run one at a time, so `findForUpdate` needs no lock. */
export const layer = Layer.effect(
  ApplicationRepository,
  Effect.map(MemoryDatabase, ({ change, state, update }) => {
    const find = (scope: SubtreeScope, id: ApplicationId) =>
      Effect.map(state, (now) =>
        Option.map(
          Option.fromUndefinedOr(now.applications.get(id)),
          (stored) => sealWithin(now, scope, stored.application.partner_id, withPartner(now, stored))
        ))
    const findFirst = (matches: (application: Application) => boolean) =>
      Effect.map(state, (now) => Option.fromUndefinedOr(allOf(now).find(matches)))
    return ApplicationRepository.of({
      find,
      findForUpdate: find,
      findByExternalId: (scope, external_id, limit) =>
        Effect.map(state, (now) => {
          const tree = treeOf(now)
          return allOf(now)
            .filter((stored) =>
              stored.external_id === external_id && tree.isWithin(scope.partner_id, stored.partner_id)
            )
            .toSorted(newestFirst)
            .slice(0, limit)
        }),
      list: (scope, query, budget) =>
        Effect.flatMap(state, (now) => applicationSlice(applicationsIn(now, scope), query, budget)),
      exportAll: (scope, query) =>
        Stream.unwrap(
          Effect.map(state, (now) => Stream.fromIterable(matchingApplications(applicationsIn(now, scope), query)))
        ),
      countPlaces: (scope, query, budget) =>
        Effect.flatMap(state, (now) => countPlaces(applicationsIn(now, scope), query, budget)),
      ofId: (id) => findFirst(({ application_id }) => application_id === id),
      ofQuote: (quote) => findFirst(({ quotes }) => quotes.some(({ quote_id }) => quote_id === quote)),
      ofProposal: (id) => findFirst(({ proposal }) => proposal?.proposal_id === id),
      holderOfReference: (reference, lender) =>
        Effect.map(state, (now) => Option.map(findHolder(now, reference, lender), ({ proposal_id }) => proposal_id)),
      contractedByCustomer: ({ record: { application_id, customer, partner_id } }) =>
        Effect.map(state, (now) => {
          const root = rootOf(now, partner_id)
          return allOf(now).filter((other) =>
            other.application_id !== application_id && other.proposal !== null && other.customer.cpf === customer.cpf &&
            rootOf(now, other.partner_id) === root
          )
        }),
      takeExpired: (at) =>
        Effect.flatMap(state, (now) => {
          const due = firstExpiring(now)
          if (due === undefined || due.last > at) return Effect.succeedNone
          const { application, offers, quote_id } = due
          return Effect.as(
            update((present) => put(present, "expiredQuotes", quote_id, offers)),
            Option.some({ application, quote_id })
          )
        }),
      insert: (owner, application) =>
        update((now) =>
          put(now, "applications", application.application_id, {
            application: { ...application, partner_id: owner.record },
            kyc_at: application.kyc === null ? null : application.updated_at
          })
        ),
      save: ({ record: { application_id } }, after) =>
        Effect.orDie(change((now) => {
          const stored = now.applications.get(application_id)
          if (stored === undefined) return Result.succeed(now)
          if (isReferenceRepeated(now, after)) {
            return Result.fail(new Error("Another proposal has this reference"))
          }
          return Result.succeed(put(now, "applications", application_id, mergeStored(stored, after)))
        })),
      saveMetadata: ({ record: { application_id } }, metadata) =>
        update((now) =>
          alter(now, "applications", application_id, (stored) => ({
            ...stored,
            application: { ...stored.application, metadata }
          }))
        ),
      versions: (ids) =>
        Effect.map(state, ({ applications }) =>
          new Map(
            ids.flatMap((id) => {
              const stored = applications.get(id)
              return stored === undefined ? [] : [[id, stored.application.version] as const]
            })
          ))
    })
  })
)
