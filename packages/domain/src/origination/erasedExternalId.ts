import { Effect } from "effect"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type SubtreeScope } from "../hierarchy/Scope.ts"
import { type Application } from "../loan/Application.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/**
 * The external id of an erased application is replaced by a keyed hash, because it can contain any text about the
 * customer. A search with the external id still finds the application (FGTS-25).
 * @rule PRIV-13
 */
export const erasedExternalId = (external_id: string): Effect.Effect<string, never, PersonalDataHasher> =>
  Effect.flatMap(
    PersonalDataHasher,
    ({ hash }) => Effect.map(hash(`external_id ${external_id}`), (text) => `erased-${text}`)
  )

const erasedForm = /^erased-[\w-]{16,}$/

/**
 * `lastro check` reports erased applications that still have their external id, and `lastro check --repair` replaces
 * it. Versions before PRIV-13 left it unchanged.
 * @rule PRIV-14
 */
export const hasExternalIdLeft = ({ erased_at, external_id }: Application): boolean =>
  erased_at !== undefined && erased_at !== null && !erasedForm.test(external_id)

/** Reads the records with an external id or, if there are none, the erased records that had it. */
export const readByExternalId = <A, E, R>(
  external_id: string,
  read: (external_id: string) => Effect.Effect<A, E, R>,
  isEmpty: (found: A) => boolean
): Effect.Effect<A, E, R | PersonalDataHasher> =>
  Effect.flatMap(
    read(external_id),
    (found) => isEmpty(found) ? Effect.flatMap(erasedExternalId(external_id), read) : Effect.succeed(found)
  )

/**
 * Reads a list that can be filtered by an external id, like {@link readByExternalId}. An empty list is read again only
 * if an erased application had this external id.
 */
export const listByExternalId = Effect.fnUntraced(function*<
  Filters extends { readonly external_id?: string },
  Found extends { readonly total: number },
  E,
  R
>(
  scope: SubtreeScope,
  filters: Filters,
  list: (filters: Filters) => Effect.Effect<Found, E, R>
) {
  const found = yield* list(filters)
  if (filters.external_id === undefined || found.total > 0) return found
  const external_id = yield* erasedExternalId(filters.external_id)
  const erased = yield* (yield* ApplicationRepository).findByExternalId(scope, external_id, 1)
  return erased.length === 0 ? found : yield* list({ ...filters, external_id })
})

/** Returns the filters with the external id as stored: as sent, or its hash if no present application has it. */
export const storedExternalId = Effect.fnUntraced(function*<Filters extends { readonly external_id?: string }>(
  scope: SubtreeScope,
  filters: Filters
) {
  const sent = filters.external_id
  if (sent === undefined) return filters
  const found = yield* (yield* ApplicationRepository).findByExternalId(scope, sent, 1)
  return found.length > 0 ? filters : { ...filters, external_id: yield* erasedExternalId(sent) }
})
