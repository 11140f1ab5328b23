import { type ApiFailure, errorResponse } from "@lastro/adapters-http/errors"
import { type FastifyReply } from "fastify"

type Outcome<A> =
  | { readonly _tag: "Success"; readonly success: A }
  | { readonly _tag: "Failure"; readonly failure: ApiFailure }

/** Sends a failure like Lastro's API: its status, its headers, and a body with its code, message and details. */
export const refuse = (reply: FastifyReply, failure: ApiFailure) => {
  const { body, headers, status } = errorResponse(failure, {
    request_id: reply.request.id,
    accept_language: reply.request.headers["accept-language"]
  })
  return reply.code(status).headers(headers).send(body)
}

/** Sends the result of a use case. */
export const answer = <A>(reply: FastifyReply, outcome: Outcome<A>, status = 200) =>
  outcome._tag === "Success" ? reply.code(status).send(outcome.success) : refuse(reply, outcome.failure)
