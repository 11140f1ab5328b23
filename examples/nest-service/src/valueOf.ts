import { type ApiFailure, errorResponse } from "@lastro/adapters-http/errors"
import { HttpException } from "@nestjs/common"
import { randomUUID } from "node:crypto"

/** The result of a use case. */
type Outcome<A> =
  | { readonly _tag: "Success"; readonly success: A }
  | { readonly _tag: "Failure"; readonly failure: ApiFailure }

/** Makes the HTTP error of a failure: the status and the error envelope of Lastro's API. */
const httpError = (failure: ApiFailure): HttpException => {
  const { body, status } = errorResponse(failure, { request_id: randomUUID() })
  return new HttpException(body, status)
}

/** Returns the value of a result. Throws a failure as an HTTP error, which also rolls back a transaction. */
export const valueOf = <A>(outcome: Outcome<A>): A => {
  if (outcome._tag === "Success") return outcome.success
  throw httpError(outcome.failure)
}
