import { Effect } from "effect"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { type Application } from "../loan/Application.ts"

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

/** Returns an external id in both of its forms: that of a present application, and that of an erased one. */
export const bothForms = (external_id: string): Effect.Effect<ReadonlyArray<string>, never, PersonalDataHasher> =>
  Effect.map(erasedExternalId(external_id), (erased) => [external_id, erased])

/**
 * Returns the filters of a list with both forms of the external id. So the list has the records with this external id,
 * and the erased records that had it.
 */
export const withErasedForm = Effect.fnUntraced(function*<Filters extends { readonly external_id?: string }>(
  { external_id, ...filters }: Filters
) {
  const both = external_id === undefined ? undefined : yield* bothForms(external_id)
  return { ...filters, ...both === undefined ? {} : { external_id: both } }
})
