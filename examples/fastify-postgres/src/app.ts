import { type ApiFailure, errorResponse } from "@lastro/adapters-http/errors"
import { type Caller } from "@lastro/domain/access"
import { type Lastro } from "@lastro/domain/promises"
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"

type Outcome<A> =
  | { readonly _tag: "Success"; readonly success: A }
  | { readonly _tag: "Failure"; readonly failure: ApiFailure }

/** Sends a failure like Lastro's API: its status, its headers, and a body with its code, message and details. */
const refuse = (reply: FastifyReply, failure: ApiFailure) => {
  const { body, headers, status } = errorResponse(failure, {
    request_id: reply.request.id,
    accept_language: reply.request.headers["accept-language"]
  })
  return reply.code(status).headers(headers).send(body)
}

/** Sends the result of a use case. */
const answer = <A>(reply: FastifyReply, outcome: Outcome<A>, status = 200) =>
  outcome._tag === "Success" ? reply.code(status).send(outcome.success) : refuse(reply, outcome.failure)

/** Returns the id of the signed-in client. Replace this function with your own sessions, tokens or gateway. */
export type SignedIn = (request: FastifyRequest) => string | undefined

interface Id {
  readonly Params: { readonly id: string }
}

/** Creates the routes of a back office over the use cases of Lastro. */
export const backOffice = (lastro: Lastro, signedIn: SignedIn) => {
  const app = Fastify()

  /** Runs a route as the signed-in API client. Each request reads the client's record again. */
  const as = async (
    request: FastifyRequest,
    reply: FastifyReply,
    act: (caller: Caller) => Promise<unknown>
  ): Promise<unknown> => {
    const caller = await lastro.callerOfClient(signedIn(request) ?? "", { client_address: request.ip })
    return caller._tag === "Success" ? act(caller.success) : refuse(reply, caller.failure)
  }

  app.get(
    "/shops",
    (request, reply) =>
      as(request, reply, async (caller) => answer(reply, await lastro.listPartners(caller, request.query)))
  )

  app.post(
    "/shops",
    (request, reply) =>
      as(request, reply, async (caller) => answer(reply, await lastro.createPartner(caller, request.body), 201))
  )

  app.patch<Id>(
    "/shops/:id",
    (request, reply) =>
      as(
        request,
        reply,
        async (caller) => answer(reply, await lastro.updatePartner(caller, request.params.id, request.body))
      )
  )

  app.post("/loans", (request, reply) =>
    as(request, reply, async (caller) => {
      const key = request.headers["idempotency-key"]
      const options = { idempotency_key: typeof key === "string" ? key : undefined, request_id: request.id }
      return answer(reply, await lastro.createApplication(caller, request.body, options), 201)
    }))

  app.get<Id>(
    "/loans/:id",
    (request, reply) =>
      as(request, reply, async (caller) => answer(reply, await lastro.getApplication(caller, request.params.id)))
  )

  // While the next action is WAIT, responds when the status changes, or after ten seconds.
  app.get<Id>("/loans/:id/status", (request, reply) =>
    as(request, reply, async (caller) => {
      const { id } = request.params
      const first = await lastro.getApplicationStatus(caller, id)
      const read = first._tag === "Success" && first.success.status.next_action === "WAIT"
        ? await lastro.getApplicationStatus(caller, id, { wait: 10, known: first.success.status })
        : first
      return read._tag === "Success" ? reply.send(read.success.status) : refuse(reply, read.failure)
    }))

  return app
}
