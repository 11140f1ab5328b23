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
 * Finds the partner whose id is at `path` in an untrusted body, and checks that it is in scope. If the id is absent or
 * malformed, the partner `fallback` is checked instead. The schema of the body reports a malformed id.
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
