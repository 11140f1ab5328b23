import { Data, Option, Result } from "effect"
import { type PartnerId } from "../id/ids.ts"
import { parseId } from "../id/Uuid.ts"
import { type Allowed, type AuthorizedAction } from "../identity/Authorization.ts"

/**
 * A malformed id of a record is NotFound, like an unknown one.
 * @rule ID-02
 */
export const parseRecordId = <Id extends string>(text: string): Result.Result<Id, NotFound> =>
  Result.fromOption(parseId<Id>(text), () => new NotFound())

/** The record does not exist. */
export class NotFound extends Data.TaggedError("NotFound") {}

/** The record exists, but outside the subtree of the caller's partner. */
export class OutsideHierarchy extends Data.TaggedError("OutsideHierarchy") {}

// The symbols are private, so that no other file can make these values or open a sealed one.
const bound: unique symbol = Symbol("@lastro/domain/hierarchy/Scope")
const judged: unique symbol = Symbol("@lastro/domain/hierarchy/InScope")
const sealed: unique symbol = Symbol("@lastro/domain/hierarchy/Found")

/** The partner whose subtree, itself included, bounds a query. Only {@link scopeOf} makes one. */
export interface SubtreeScope {
  readonly [bound]: true
  readonly partner_id: PartnerId
}

/** A record in the caller's subtree. Only {@link judgeFound} makes one, and every write requires one. */
export interface InScope<out A> {
  readonly [judged]: true
  readonly record: A
}

/** A record that a repository found. It stays sealed until {@link judgeFound} has checked its place. */
export interface FoundRecord<out A> {
  readonly [sealed]: { readonly record: A; readonly inside: boolean }
}

/** Seals a record that a repository found by id. `inside`: the record is in the scope of the query. */
export const sealFound = <A>(record: A, inside: boolean): FoundRecord<A> => ({ [sealed]: { record, inside } })

const inScope = <A>(record: A): InScope<A> => ({ [judged]: true, record })

const scope = (partner_id: PartnerId): SubtreeScope => ({ [bound]: true, partner_id })

/**
 * A caller reads and changes records in the subtree of its own partner, itself included, and no others.
 * @rule HIER-01
 */
export const scopeOf = (allowed: Allowed<AuthorizedAction>): SubtreeScope => scope(allowed.caller.partner_id)

/**
 * An unknown id is NotFound. The id of a record outside the caller's subtree is OutsideHierarchy.
 * @rule HIER-02
 */
export const judgeFound = <A>(
  one: Option.Option<FoundRecord<A>>
): Result.Result<InScope<A>, NotFound | OutsideHierarchy> =>
  Option.isNone(one)
    ? Result.fail(new NotFound())
    : one.value[sealed].inside
    ? Result.succeed(inScope(one.value[sealed].record))
    : Result.fail(new OutsideHierarchy())

/**
 * Scopes without a hierarchy check: for the operator at the command line and for durable jobs, which run even if a partner was moved
 * meanwhile. Never use it for a caller.
 */
export const asOperator = { scope, inScope } as const
