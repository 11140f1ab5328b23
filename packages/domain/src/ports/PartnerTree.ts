import { Context, Effect, type Option, Result } from "effect"
import { type Allowed, type AuthorizedAction } from "../access/Authorization.ts"
import { judgeReference } from "../hierarchy/judgeParent.ts"
import { type FoundRecord, type InScope, scopeOf, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type FieldProblem } from "../input/FieldProblem.ts"
import { fieldPath } from "../input/problemsOf.ts"
import { valueAt } from "../input/valueAt.ts"
import { type PartnerId } from "../values/ids.ts"
import { parseUuid } from "../values/Uuid.ts"
import { type Busy } from "./UnitOfWork.ts"

/** The ids of a partner and of its parent. */
export interface TreeNode {
  readonly partner_id: PartnerId
  /** Null for a root. */
  readonly parent_id: PartnerId | null
}

/** The position of a partner in its tree, for the authentication of callers. */
export interface PartnerPlace {
  readonly partner_id: PartnerId
  readonly root_id: PartnerId
  /** False if the partner or one of its ancestors is inactive. */
  readonly partners_active: boolean
}

/**
 * The partner trees. A deleted partner keeps its place in its tree, so that its ancestors can still access its records.
 * `find` never returns a deleted partner.
 */
export class PartnerTree extends Context.Service<PartnerTree, {
  /**
   * Locks the tree of `root` until the transaction ends. A `shared` lock keeps the tree unchanged while records are
   * added to it. An `exclusive` lock allows moves. Only calls that are started after this call are protected. An
   * adapter can therefore send this call together with the next call, which waits for the lock. When the adapter's lock
   * timeout expires, the transaction fails with Busy.
   */
  readonly lock: (root: PartnerId, mode: "shared" | "exclusive") => Effect.Effect<void, Busy>
  /**
   * Finds a partner by id in any tree. The result records whether the partner is in `scope`, and is readable only
   * through `judgeFound`.
   */
  readonly find: (scope: SubtreeScope, id: PartnerId) => Effect.Effect<Option.Option<FoundRecord<PartnerId>>>
  /**
   * Finds the place of a partner by id, in any tree. Returns the current state, and none for an unknown or deleted
   * partner.
   */
  readonly findPlace: (id: PartnerId) => Effect.Effect<Option.Option<PartnerPlace>>
  /** Returns whether a partner is in `scope`. Deleted partners are in the scope of their ancestors. */
  readonly contains: (scope: SubtreeScope, id: PartnerId) => Effect.Effect<boolean>
  /** Returns the ids of the partners in `scope`, deleted ones included, in any order and at most `limit`. */
  readonly list: (scope: SubtreeScope, limit: number) => Effect.Effect<ReadonlyArray<PartnerId>>
  /** Returns whether `id` is `top` or one of its descendants. */
  readonly isWithin: (top: InScope<TreeNode>, id: InScope<PartnerId>) => Effect.Effect<boolean>
  /** Moves a partner with its subtree to another parent. Requires the exclusive lock of the tree. */
  readonly move: (partner: InScope<TreeNode>, parent: InScope<PartnerId>) => Effect.Effect<void>
}>()("@lastro/domain/ports/PartnerTree") {}

/**
 * Parses the id at `path` in an untrusted body. Undefined if it is absent or malformed: the schema of the body reports
 * that.
 */
export const idAt = <Id extends string>(body: unknown, path: ReadonlyArray<string>): Id | undefined => {
  const raw = valueAt(body, path)
  return typeof raw === "string" ? Result.getOrUndefined(parseUuid(raw)) as Id | undefined : undefined
}

/**
 * Finds the partner whose id is at `path` in an untrusted body, and checks that it is in scope. If the id is absent or
 * malformed, the partner `fallback` is checked instead.
 */
export const findReferencedPartner = Effect.fnUntraced(function*(
  scope: SubtreeScope,
  body: unknown,
  path: ReadonlyArray<string>,
  fallback: PartnerId
) {
  const found = yield* (yield* PartnerTree).find(scope, idAt<PartnerId>(body, path) ?? fallback)
  return judgeReference(fieldPath(path), found) satisfies FoundOwner
})

/** The partner of {@link findOwner} if it is in the caller's subtree, otherwise the problem of the field. */
export type FoundOwner = Result.Result<InScope<PartnerId>, FieldProblem>

/**
 * Locks the caller's tree for a new record, and finds the partner to which the record will belong: the one whose id is
 * at `path` in the untrusted body. Default: the caller's own partner.
 */
export const findOwner = Effect.fnUntraced(function*(
  allowed: Allowed<AuthorizedAction>,
  body: unknown,
  path: ReadonlyArray<string> = ["partner_id"]
) {
  const { partner_id, root_id } = allowed.caller
  yield* (yield* PartnerTree).lock(root_id, "shared")
  return yield* findReferencedPartner(scopeOf(allowed), body, path, partner_id)
})
