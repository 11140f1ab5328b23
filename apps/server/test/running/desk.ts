import { calendarDate, type Cpf, type Customer } from "@lastro/domain"
import { aCompleteKyc } from "@lastro/testkit"
import { Effect } from "effect"
import { ask, at, type Reply, type Sent } from "./asking.ts"
import { type Serving } from "./serving.ts"

/** How long to hold the answer to a status, and which answer is known already. */
export interface Waiting {
  readonly wait?: number
  readonly known?: string | null
}

/** The customer with this CPF. */
const customerOf = (cpf: Cpf): Customer => ({
  cpf,
  birth_date: calendarDate("1990-05-17"),
  name: null,
  email: null,
  phone: null
})

/** All that has to be known of the customer with this CPF, who is paid to it by PIX. */
export const kycOf = (cpf: Cpf) => aCompleteKyc().for(customerOf(cpf)).build()

/** What a shop does for its customers with the API: every operation of an application, by its id. */
export const desk = (server: Pick<Serving, "url">, token: string) => {
  const say = (path: string, sent: Sent = {}) => ask(server, `/api/v1/fgts/applications${path}`, { token, ...sent })
  const status = (id: string, { known = null, wait = 0 }: Waiting = {}) =>
    say(`/${id}/status?wait=${wait}`, known === null ? {} : { headers: { "If-None-Match": known } })
  return {
    open: (cpf: Cpf, external_id = "loan", sent: Sent = {}) =>
      say("", { json: { external_id, customer: customerOf(cpf) }, ...sent }),
    search: (external_id: string) => say(`?external_id=${external_id}`),
    read: (id: string) => say(`/${id}?include=quotes`),
    status,
    requote: (id: string, sent: Sent = {}) => say(`/${id}/quotes`, { method: "POST", ...sent }),
    submitKyc: (id: string, kyc: object, sent: Sent = {}) => say(`/${id}/kyc`, { json: kyc, ...sent }),
    accept: (id: string, offer: string, sent: Sent = {}) =>
      say(`/${id}/offers/${offer}/accept`, { json: { terms_accepted: true }, ...sent }),
    proposal: (id: string) => ask(server, `/api/v1/proposals/${id}`, { token }),
    /** Waits as a consumer does, answer by answer, until the status is the one that is looked for. */
    until: Effect.fnUntraced(function*(id: string, isIt: (status: Reply) => boolean) {
      let present = yield* status(id)
      while (!isIt(present)) {
        const next = yield* status(id, { wait: 30, known: present.headers.get("etag") })
        if (next.status === 200) present = next
        // Nobody is held for what nothing can change any more, and only so many are at a time.
        else yield* Effect.sleep("50 millis")
      }
      return present
    })
  }
}

/** A shop's desk. */
export type Desk = ReturnType<typeof desk>

/** The id of the application in an answer. */
export const idOf = (reply: Reply): string => String(at(reply, "application_id"))

/** Whether somebody else than the lender has to act, or nobody. */
export const isSettled = (status: Reply): boolean => !["WAIT", "SIGN"].includes(String(at(status, "next_action")))
