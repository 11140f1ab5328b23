import {
  asOperator,
  type Found,
  type InScope,
  judge,
  type ListQuery,
  type NotFound,
  type OutsideHierarchy,
  type PartnerDetail,
  type Scope,
  type Slice
} from "@lastro/domain"
import { Effect, type Option, Result } from "effect"

/** The scope of a caller whose partner is this one. */
export const scopeOfPartner = ({ partner_id }: PartnerDetail): Scope => asOperator.scope(partner_id)

/** What became of a record that was asked for by id: the record, or why the caller does not get it. */
export const judged = <A>(sealed: Option.Option<Found<A>>): A | "NotFound" | "OutsideHierarchy" =>
  Result.match(judge(sealed), { onSuccess: ({ record }) => record, onFailure: ({ _tag }) => _tag })

/** The record that was asked for by id, ready to be written. */
export const opened = <A, E, R>(
  sealed: Effect.Effect<Option.Option<Found<A>>, E, R>
): Effect.Effect<InScope<A>, E | NotFound | OutsideHierarchy, R> =>
  Effect.flatMap(sealed, (found) => Effect.fromResult(judge(found)))

/** A query for the first page of 100 in the default order, changed as given. */
export const query = <Filters, Field extends string>(
  filters: Filters,
  change: Partial<Omit<ListQuery<Filters, Field>, "filters">> = {}
): ListQuery<Filters, Field | "created_at"> => ({
  filters,
  page: { number: 0, size: 100 },
  sort: [{ property: "created_at", direction: "desc" }],
  ...change
})

/** A list of a port, in one caller's scope. */
export type ListOf<Item, Filters, Field extends string, E, R> = (
  query: ListQuery<Filters, Field>
) => Effect.Effect<Slice<Item>, E, R>

/** Every page of a list, one after the other, up to and with the first empty one. */
export const everyPage = <A, E, R>(
  size: number,
  list: (page: { readonly number: number; readonly size: number }) => Effect.Effect<Slice<A>, E, R>
): Effect.Effect<ReadonlyArray<Slice<A>>, E, R> =>
  Effect.gen(function*() {
    const slices: Array<Slice<A>> = []
    do slices.push(yield* list({ number: slices.length, size }))
    while (slices.at(-1)?.items.length !== 0)
    return slices
  })
