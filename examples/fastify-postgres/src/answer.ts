import { type FastifyReply } from "fastify"

/** What the use cases answer: read `_tag`, then `success` or `failure`. */
type Outcome<A> =
  | { readonly _tag: "Success"; readonly success: A }
  | { readonly _tag: "Failure"; readonly failure: Refusal }

interface Refusal {
  readonly _tag: string
}

/** The statuses of this service; whatever else is refused is in the way of what is there already. */
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

/** Refuses a request with its facts, `{ "_tag": "ValidationFailed", "problems": [...] }`; sent as it is, Fastify would take it for a crash. */
export const refuse = (reply: FastifyReply, refusal: Refusal) =>
  reply.code(statuses.get(refusal._tag) ?? 409).send({ ...refusal })

/** Answers a request with what a use case came to. */
export const answer = <A>(reply: FastifyReply, outcome: Outcome<A>, status = 200) =>
  outcome._tag === "Success" ? reply.code(status).send(outcome.success) : refuse(reply, outcome.failure)
