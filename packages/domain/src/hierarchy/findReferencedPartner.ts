import { Effect, Result } from "effect"
import { type PartnerId } from "../id/ids.ts"
import { parseUuid } from "../id/Uuid.ts"
import { type FieldProblem } from "../validation/FieldProblem.ts"
import { fieldPath } from "../validation/problemsOf.ts"
import { valueAt } from "../validation/valueAt.ts"
import { judgeReference } from "./judgeParent.ts"
import { PartnerTree } from "./PartnerTree.ts"
import { type InScope, type SubtreeScope } from "./Scope.ts"

/**
 * Finds and judges the partner that an untrusted body refers to at `path`; `fallback` if the body has none. A malformed id counts as
 * the fallback here, because the schema of the body reports it.
 */
export const findReferencedPartner = Effect.fnUntraced(function*(
  scope: SubtreeScope,
  body: unknown,
  path: ReadonlyArray<string>,
  fallback: PartnerId
) {
  const raw = valueAt(body, path)
  const id = typeof raw === "string" ? Result.getOrElse(parseUuid(raw), () => fallback) : fallback
  const found = yield* (yield* PartnerTree).find(scope, id as PartnerId)
  return judgeReference(fieldPath(path), found) satisfies Result.Result<InScope<PartnerId>, FieldProblem>
})
