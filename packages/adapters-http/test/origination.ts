import { type GroupSlug, type Permission } from "@lastro/domain/access"
import { type Customer } from "@lastro/domain/kyc"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserListItem } from "@lastro/domain/user"
import { aCompleteKyc, aCustomer, PendingWork } from "@lastro/testkit"
import { Effect } from "effect"
import { newApplication } from "./bodies.ts"
import { at, type Reply, type Sent } from "./client.ts"
import { givenCaller, tokenFor } from "./given.ts"
import { Server } from "./harness.ts"

const applications = "/api/v1/fgts/applications"

/** Runs all jobs to their end. */
export const finish = Effect.flatMap(PendingWork, ({ finish }) => finish)

/** Polls the contracts that are due. */
export const poll = Effect.flatMap(PendingWork, ({ poll }) => poll)

/** Makes a client for the origination operations of a user. Each request has a new token, limited to `scope`. */
export const voiceOf = Effect.fnUntraced(function*(
  user: UserListItem,
  group: GroupSlug = "operator",
  scope?: ReadonlyArray<Permission>
) {
  const server = yield* Server
  const send = Effect.fnUntraced(function*(path: string, sent: Sent = {}) {
    return yield* server.send(path, { ...sent, token: yield* tokenFor("user", user.user_id, group, scope) })
  })
  const post = (path: string, json: unknown, sent: Sent = {}) =>
    send(`${applications}${path}`, json === undefined ? { ...sent, method: "POST" } : { ...sent, json })
  return {
    user,
    send,
    create: (json: unknown, sent?: Sent) => post("", json, sent),
    search: (external_id: string) => send(`${applications}?external_id=${encodeURIComponent(external_id)}`),
    read: (id: string, query = "", sent?: Sent) => send(`${applications}/${id}${query}`, sent),
    status: (id: string, query = "", sent?: Sent) => send(`${applications}/${id}/status${query}`, sent),
    requote: (id: string, json?: unknown, sent?: Sent) => post(`/${id}/quotes`, json, sent),
    accept: (id: string, offer: string, json: unknown = { terms_accepted: true }, sent?: Sent) =>
      post(`/${id}/offers/${offer}/accept`, json, sent),
    kyc: (id: string, sent?: Sent) => send(`${applications}/${id}/kyc`, sent),
    submit: (id: string, json: unknown, sent?: Sent) => post(`/${id}/kyc`, json, sent),
    cancel: (id: string, json: unknown = { reason: "CUSTOMER_REQUEST" }, sent?: Sent) =>
      post(`/${id}/cancel`, json, sent),
    withdraw: (proposal: string, json: unknown = { reason: "CUSTOMER_REQUEST" }, sent: Sent = {}) =>
      send(`/api/v1/proposals/${proposal}/withdrawal`, { ...sent, json }),
    link: (proposal: string, sent: Sent = {}) =>
      send(`/api/v1/proposals/${proposal}/signature-link`, { ...sent, method: "POST" }),
    proposals: (query = "") => send(`/api/v1/proposals${query}`),
    proposal: (id: string, sent?: Sent) => send(`/api/v1/proposals/${id}`, sent)
  }
})

/** A client for the origination operations. */
export type Voice = Effect.Success<ReturnType<typeof voiceOf>>

/** Creates a user of a partner with such a client. */
export const givenVoice = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  group: GroupSlug = "operator",
  scope?: ReadonlyArray<Permission>
) {
  const { user } = yield* givenCaller(partner, group)
  return yield* voiceOf(user, group, scope)
})

/** Creates an application for a fresh customer. Returns its id and a complete KYC. */
export const givenOpened = Effect.fnUntraced(function*(
  { create }: Voice,
  { customer: known, ...fields }: { readonly customer?: Partial<Customer> } & Record<string, unknown> = {}
) {
  const customer = yield* aCustomer(known)
  const created = yield* create(yield* newApplication({ ...fields, customer }))
  return { created, id: String(at(created, "application_id")), kyc: aCompleteKyc().for(customer).build(), customer }
})

/** The offer ids in an application response, best first. */
export const offersOf = (reply: Reply): ReadonlyArray<string> =>
  (at(reply, "quote", "offers") as ReadonlyArray<{ readonly offer_id: string }>).map(({ offer_id }) => offer_id)
