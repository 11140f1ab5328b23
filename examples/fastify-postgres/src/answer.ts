import { type FastifyReply } from "fastify"

/** The result of a use case. */
type Outcome<A> =
  | { readonly _tag: "Success"; readonly success: A }
  | { readonly _tag: "Failure"; readonly failure: Refusal }

interface Refusal {
  readonly _tag: string
}

/** The HTTP status of each failure. All other failures are conflicts (409). */
const statuses = new Map([
  ["ValidationFailed", 422],
  ["Unauthenticated", 401],
  ["PermissionDenied", 403],
  ["OutsideHierarchy", 403],
  ["PasswordChangeRequired", 403],
  ["NotFound", 404],
  ["PreconditionFailed", 412],
  ["Busy", 503]
])

/**
 * Sends the fields of a failure, such as `{ "_tag": "ValidationFailed", "problems": [...] }`. The failure is copied with a
 * spread, because Fastify treats an Error object as a crash.
 */
export const refuse = (reply: FastifyReply, refusal: Refusal) =>
  reply.code(statuses.get(refusal._tag) ?? 409).send({ ...refusal })

/** Sends the result of a use case. */
export const answer = <A>(reply: FastifyReply, outcome: Outcome<A>, status = 200) =>
  outcome._tag === "Success" ? reply.code(status).send(outcome.success) : refuse(reply, outcome.failure)
