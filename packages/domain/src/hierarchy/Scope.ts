import { Option, Result } from "effect"
import { type Allowed, type AuthorizedAction } from "../access/Authorization.ts"
import { Refusal } from "../input/Refusal.ts"
import { type PartnerId } from "../values/ids.ts"
import { parseId } from "../values/Uuid.ts"
import { DomainCopiesMixed } from "./domainCopy.ts"

/**
 * A malformed record id is refused with NotFound, like an id that does not exist.
 * @rule ID-02
 */
export const parseRecordId = <Id extends string>(text: string): Result.Result<Id, NotFound> =>
  Result.fromOption(parseId<Id>(text), () => new NotFound())

/** The record does not exist. */
export class NotFound extends Refusal("NotFound", "The record does not exist.") {}

/** The record exists, but outside the subtree of the caller's partner. */
export class OutsideHierarchy
  extends Refusal("OutsideHierarchy", "This record is outside the subtree of the caller's partner.")
{}

// The symbols are not exported. So no other file can create a SubtreeScope or an InScope, or read the record in a
// FoundRecord.
const bound: unique symbol = Symbol("@lastro/domain/hierarchy/Scope")
const judged: unique symbol = Symbol("@lastro/domain/hierarchy/InScope")
const sealed: unique symbol = Symbol("@lastro/domain/hierarchy/Found")

/**
 * The subtree to which a query is limited: `partner_id` and its descendants. Only {@link scopeOf} creates the scope of
 * a caller.
 */
export interface SubtreeScope {
  readonly [bound]: true
  readonly partner_id: PartnerId
}

/** A record in the caller's subtree. Every write requires one. Only {@link judgeFound} creates one for a caller. */
export interface InScope<out A> {
  readonly [judged]: true
  readonly record: A
}

/**
 * A record that a repository found by id, inside or outside the caller's subtree. Only {@link judgeFound} can read it.
 */
export interface FoundRecord<out A> {
  readonly [sealed]: { readonly record: A; readonly inside: boolean }
}

/** Wraps a record that a repository found by id. `inside` is true if the record is in the scope of the query. */
export const sealFound = <A>(record: A, inside: boolean): FoundRecord<A> => ({ [sealed]: { record, inside } })

const inScope = <A>(record: A): InScope<A> => ({ [judged]: true, record })

const scope = (partner_id: PartnerId): SubtreeScope => ({ [bound]: true, partner_id })

/**
 * A caller can read and change only the records of its own partner and of the descendants of this partner.
 * @rule HIER-01
 */
export const scopeOf = (allowed: Allowed<AuthorizedAction>): SubtreeScope => scope(allowed.caller.partner_id)

/**
 * A filter by a partner narrows the caller's scope to the subtree of this partner. For a partner outside the scope,
 * existing or not, no records are found. `isInside` is true if the partner is in the scope.
 * @rule HIER-07
 */
export const narrowScope = (partner: PartnerId, isInside: boolean): SubtreeScope | undefined =>
  isInside ? scope(partner) : undefined

/**
 * An unknown id is refused with NotFound. The id of a record outside the caller's subtree is refused with
 * OutsideHierarchy.
 * @rule HIER-02
 */
export const judgeFound = <A>(
  found: Option.Option<FoundRecord<A>>
): Result.Result<InScope<A>, NotFound | OutsideHierarchy> => {
  if (Option.isNone(found)) return Result.fail(new NotFound())
  const content: FoundRecord<A>[typeof sealed] | undefined = found.value[sealed]
  if (content === undefined) throw new DomainCopiesMixed("A repository uses another copy of @lastro/domain.")
  return content.inside ? Result.succeed(inScope(content.record)) : Result.fail(new OutsideHierarchy())
}

/**
 * Creates scopes and in-scope records without a hierarchy check. For the operator's commands, and for durable jobs,
 * which must run even after a partner was moved. Never use these functions on behalf of a caller.
 */
export const asOperator = { scope, inScope } as const
