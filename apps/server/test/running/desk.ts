import { type Customer } from "@lastro/domain/kyc"
import { calendarDate, type Cpf } from "@lastro/domain/values"
import { aCompleteKyc } from "@lastro/testkit"
import { Effect, Fiber } from "effect"
import { ask, at, patiently, type Reply, type Sent } from "./asking.ts"
import { type RunningServer } from "./serving.ts"

/** Options of a long poll: the wait in seconds, and the known ETag. */
export interface Waiting {
  readonly wait?: number
  readonly known?: string | null
}

const customerOf = (cpf: Cpf): Customer => ({
  cpf,
  birth_date: calendarDate("1990-05-17"),
  name: null,
  email: null,
  phone: null
})

/** A complete KYC of the customer with this CPF, paid by PIX. */
export const kycOf = (cpf: Cpf) => aCompleteKyc().for(customerOf(cpf)).build()

/** Makes a client for all operations of an application from a function that sends a request to a path. */
export const applicationClientOf = (send: (path: string, sent: Sent) => Effect.Effect<Reply>) => {
  const say = (path: string, sent: Sent = {}) => send(`/api/v1/fgts/applications${path}`, sent)
  const status = (id: string, { known = null, wait = 0 }: Waiting = {}) =>
    say(`/${id}/status?wait=${wait}`, known === null ? {} : { headers: { "If-None-Match": known } })
  return {
    open: (cpf: Cpf, external_id = "loan", sent: Sent = {}) =>
      say("", { json: { external_id, customer: customerOf(cpf) }, ...sent }),
    search: (external_id: string) => say(`?external_id=${external_id}`),
    list: (query: string) => say(`?${query}`),
    read: (id: string) => say(`/${id}?include=quotes`),
    status,
    requote: (id: string, sent: Sent = {}) => say(`/${id}/quotes`, { method: "POST", ...sent }),
    kyc: (id: string) => say(`/${id}/kyc`),
    submitKyc: (id: string, kyc: object, sent: Sent = {}) => say(`/${id}/kyc`, { json: kyc, ...sent }),
    accept: (id: string, offer: string, sent: Sent = {}) =>
      say(`/${id}/offers/${offer}/accept`, { json: { terms_accepted: true }, ...sent }),
    cancel: (id: string, sent: Sent = {}) => say(`/${id}/cancel`, { json: { reason: "CUSTOMER_REQUEST" }, ...sent }),
    proposal: (id: string) => send(`/api/v1/proposals/${id}`, {}),
    withdraw: (id: string, sent: Sent = {}) =>
      send(`/api/v1/proposals/${id}/withdrawal`, { json: { reason: "CUSTOMER_REQUEST" }, ...sent }),
    renewLink: (id: string) => send(`/api/v1/proposals/${id}/signature-link`, { method: "POST" }),
    /** Long-polls until the status matches. */
    until: Effect.fnUntraced(function*(id: string, matches: (status: Reply) => boolean) {
      let present = yield* status(id)
      if (present.status !== 200) return yield* Effect.die(new Error(present.text))
      while (!matches(present)) {
        const next = yield* status(id, { wait: 30, known: present.headers.get("etag") })
        if (next.status === 200) present = next
        // The server does not hold polls of a final status, or above its maximum number of long polls.
        else yield* Effect.sleep("50 millis")
      }
      return present
    })
  }
}

/** A client for the operations of an application. */
export type Desk = ReturnType<typeof applicationClientOf>

/** A client of a server for all operations of an application, by its id. */
export const applicationClient = (server: Pick<RunningServer, "url">, token: string): Desk =>
  applicationClientOf((path, sent) => ask(server, path, { token, ...sent }))

/** Like {@link applicationClient}, but repeats requests as {@link patiently} does. */
export const patientClient = (server: Pick<RunningServer, "url">, token: string): Desk =>
  applicationClientOf((path, sent) => patiently(ask(server, path, { token, ...sent })))

/** The application id of a response. */
export const idOf = (reply: Reply): string => String(at(reply, "application_id"))

/** Returns whether neither the lender nor the signature is pending. */
export const isSettled = (status: Reply): boolean => !["WAIT", "SIGN"].includes(String(at(status, "next_action")))

const isNotHeld = ({ headers }: Reply): boolean => headers.has("retry-after")

/**
 * Starts twenty long polls, the maximum per caller, and waits until all of them are held. Returns their responses and that of one
 * more poll, which is not held.
 */
export const twentyWaiting = Effect.fnUntraced(function*({ status }: Desk, id: string, known: string | null) {
  // A poll that is not held, because the extra poll below took the last place, is retried.
  const poll = status(id, { wait: 30, known }).pipe(Effect.repeat({ while: isNotHeld }))
  const waiting = yield* Effect.forkScoped(
    Effect.all(Array.from({ length: 20 }, () => poll), { concurrency: "unbounded" })
  )
  const notHeld = yield* status(id, { wait: 1, known }).pipe(Effect.repeat({ until: isNotHeld }))
  return { notHeld, answers: Fiber.join(waiting) }
})
