import { HttpException } from "@nestjs/common"

/** The result of a use case. */
type Outcome<A> =
  | { readonly _tag: "Success"; readonly success: A }
  | { readonly _tag: "Failure"; readonly failure: { readonly _tag: string } }

/** The HTTP status of each failure. All other failures are conflicts (409). */
const statuses = new Map([
  ["ValidationFailed", 422],
  ["Unauthenticated", 401],
  ["PermissionDenied", 403],
  ["OutsideHierarchy", 403],
  ["NotFound", 404],
  ["PreconditionFailed", 412],
  ["Busy", 503]
])

/** Returns the value of a result. Throws a failure as an HTTP error, which also rolls back a transaction. */
export const valueOf = <A>(outcome: Outcome<A>): A => {
  if (outcome._tag === "Success") return outcome.success
  throw new HttpException({ ...outcome.failure }, statuses.get(outcome.failure._tag) ?? 409)
}
