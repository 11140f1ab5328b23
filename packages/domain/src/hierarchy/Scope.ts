import { Data, Option, Result } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Action, type Allowed } from "../identity/Authorization.ts"

/** There is no such record. */
export class NotFound extends Data.TaggedError("NotFound") {}

/** The record is there, but outside the subtree of the caller's partner. */
export class OutsideHierarchy extends Data.TaggedError("OutsideHierarchy") {}

// The symbols stay in this file, so that nothing outside it can make these values or look into a sealed one.
const bound: unique symbol = Symbol("@lastro/domain/hierarchy/Scope")
const judged: unique symbol = Symbol("@lastro/domain/hierarchy/InScope")
const sealed: unique symbol = Symbol("@lastro/domain/hierarchy/Found")

/** The partner whose subtree, itself included, bounds what a query may see. Made by {@link scopeOf} only. */
export interface Scope {
  readonly [bound]: true
  readonly partner_id: PartnerId
}

/** A record that lies inside the caller's subtree. Made by {@link judge} only; every write demands one. */
export interface InScope<out A> {
  readonly [judged]: true
  readonly record: A
}

/** A record as a repository found it, sealed until {@link judge} has looked at where it lies. */
export interface Found<out A> {
  readonly [sealed]: { readonly record: A; readonly inside: boolean }
}

/** How a repository hands out a record it found by id: `inside` says whether it lies in the scope it was asked with. */
export const found = <A>(record: A, inside: boolean): Found<A> => ({ [sealed]: { record, inside } })

const inScope = <A>(record: A): InScope<A> => ({ [judged]: true, record })

const scope = (partner_id: PartnerId): Scope => ({ [bound]: true, partner_id })

/**
 * A caller sees and acts on the subtree of its own partner, itself included, and nothing else.
 * @rule HIER-01
 */
export const scopeOf = (allowed: Allowed<Action>): Scope => scope(allowed.caller.partner_id)

/**
 * An id that names nothing is NOT_FOUND; one that names a record outside the caller's subtree is OUTSIDE_HIERARCHY.
 * @rule HIER-02
 */
export const judge = <A>(one: Option.Option<Found<A>>): Result.Result<InScope<A>, NotFound | OutsideHierarchy> =>
  Option.isNone(one)
    ? Result.fail(new NotFound())
    : one.value[sealed].inside
    ? Result.succeed(inScope(one.value[sealed].record))
    : Result.fail(new OutsideHierarchy())

/**
 * The operator at the command line owns the whole database, and work that was promised to a caller is done whoever moved what
 * meanwhile: they are bound by no hierarchy. Never call this for a caller.
 */
export const asOperator = { scope, inScope } as const
