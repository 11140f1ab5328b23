import { Effect } from "effect"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type ListSlice } from "../input/Page.ts"

/**
 * The external id of an erased application is replaced by a keyed hash, because it can contain any text about the
 * customer. The owner of the external id still finds the application by it (FGTS-25).
 * @rule PRIV-13
 */
export const erasedExternalId = (external_id: string): Effect.Effect<string, never, PersonalDataHasher> =>
  Effect.flatMap(
    PersonalDataHasher,
    ({ hash }) => Effect.map(hash(`external_id ${external_id}`), (text) => `erased-${text}`)
  )

/**
 * Reads the records with an external id. If there are none, reads the records of erased applications that had this
 * external id.
 */
export const readByExternalId = <A, E, R>(
  external_id: string,
  read: (external_id: string) => Effect.Effect<A, E, R>,
  isEmpty: (found: A) => boolean
): Effect.Effect<A, E, R | PersonalDataHasher> =>
  Effect.flatMap(
    read(external_id),
    (found) => isEmpty(found) ? Effect.flatMap(erasedExternalId(external_id), read) : Effect.succeed(found)
  )

/** Reads a list like {@link readByExternalId} if it is filtered by an external id. */
export const listByExternalId = <Filters extends { readonly external_id?: string }, A, E, R>(
  filters: Filters,
  list: (filters: Filters) => Effect.Effect<ListSlice<A>, E, R>
): Effect.Effect<ListSlice<A>, E, R | PersonalDataHasher> =>
  filters.external_id === undefined ? list(filters) : readByExternalId(
    filters.external_id,
    (external_id) => list({ ...filters, external_id }),
    ({ total }) => total === 0
  )
