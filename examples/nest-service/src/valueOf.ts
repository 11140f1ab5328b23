import { HttpException } from "@nestjs/common"

/** A failure of a use case. Only ValidationFailed has problems. */
interface Failure {
  readonly _tag: string
  readonly message: string
  readonly problems?: unknown
}

/** The result of a use case. */
type Outcome<A> =
  | { readonly _tag: "Success"; readonly success: A }
  | { readonly _tag: "Failure"; readonly failure: Failure }

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

/** Returns what a client may see of a failure. Other fields, such as the reason of Unauthenticated, are for the log. */
const bodyOf = ({ _tag, message, problems }: Failure) =>
  _tag === "ValidationFailed" ? { _tag, message, problems } : { _tag, message }

/** Returns the value of a result. Throws a failure as an HTTP error, which also rolls back a transaction. */
export const valueOf = <A>(outcome: Outcome<A>): A => {
  if (outcome._tag === "Success") return outcome.success
  throw new HttpException(bodyOf(outcome.failure), statuses.get(outcome.failure._tag) ?? 409)
}
