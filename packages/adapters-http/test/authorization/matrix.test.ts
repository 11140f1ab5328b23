import { assert, describe, it } from "@effect/vitest"
import { groupBySlug, groups } from "@lastro/domain/access"
import { operations } from "@lastro/domain/operation"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { type OperationName } from "../../src/api/Api.ts"
import { endpoints } from "../../src/pipeline/endpoints.ts"
import { newApplication, newPartner, newUser } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply, type Sent } from "../client.ts"
import { givenCaller, givenClient, tokenFor } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import {
  givenApplicationIds,
  givenAuditEntries,
  givenClientIds,
  givenCommissionPlans,
  givenCommissions,
  givenOfferPaths,
  givenPayouts,
  givenPlaces,
  givenProposalIds,
  givenReferences,
  givenUserIds,
  givenWebhookIds,
  partnerIds,
  type Place,
  places
} from "./places.ts"

type Arranged = Effect.Success<typeof givenPlaces>

/** The records of the places, by what identifies them. */
const records = {
  partner: ({ partners }: Arranged) => Effect.succeed(partnerIds(partners)),
  user: ({ caller, partners }: Arranged) => givenUserIds(partners, caller.user.user_id),
  application: ({ partners }: Arranged) => givenApplicationIds(partners),
  offer: ({ partners }: Arranged) => givenOfferPaths(partners),
  reference: ({ partners }: Arranged) => givenReferences(partners),
  proposal: ({ partners }: Arranged) => givenProposalIds(partners),
  client: ({ partners }: Arranged) => givenClientIds(partners),
  /** Partners with an API client each. */
  clientOwner: ({ partners }: Arranged) => Effect.as(givenClientIds(partners), partnerIds(partners)),
  webhook: ({ partners }: Arranged) => givenWebhookIds(partners),
  /** Partners with a webhook each. */
  webhookOwner: ({ partners }: Arranged) => Effect.as(givenWebhookIds(partners), partnerIds(partners)),
  /** Webhooks with a test each, as paths. */
  delivery: ({ partners }: Arranged) => givenWebhookIds(partners, true),
  /** Partners with an audit entry each. */
  audited: ({ partners }: Arranged) => Effect.as(givenAuditEntries(partners), partnerIds(partners)),
  /** Partners with a commission plan each. */
  planned: ({ partners }: Arranged) => Effect.as(givenCommissionPlans(partners), partnerIds(partners)),
  /** Partners with a commission entry each, which those above them see. */
  earner: ({ partners }: Arranged) => Effect.as(givenCommissions(partners), partnerIds(partners)),
  /** Partners with a payout each. */
  payee: ({ partners }: Arranged) => Effect.as(givenPayouts(partners), partnerIds(partners)),
  /** Partners with a proposal each. */
  contractor: ({ partners }: Arranged) => Effect.as(givenProposalIds(partners), partnerIds(partners))
} as const

type RecordKind = keyof typeof records

/** The records that paths address. */
const addressed: ReadonlyArray<readonly [prefix: string, kind: RecordKind]> = [
  ["/api/v1/partners/:", "partner"],
  ["/api/v1/users/:", "user"],
  ["/api/v1/clients/:", "client"],
  ["/api/v1/fgts/applications/:id/offers/:", "offer"],
  ["/api/v1/fgts/applications/:", "application"],
  ["/api/v1/proposals/:", "proposal"],
  ["/api/v1/webhooks/:webhook_id/deliveries/:", "delivery"],
  ["/api/v1/webhooks/:", "webhook"]
]

/** The answers to partners strictly below the caller's own. */
const below = (status: string) => ({ child: status, grandchild: status })

const inside = (status: string) => ({ own: status, child: status, grandchild: status })

/** The answers to an id outside the caller's subtree. */
const outside = {
  sibling: "403 OUTSIDE_HIERARCHY",
  parent: "403 OUTSIDE_HIERARCHY",
  stranger: "403 OUTSIDE_HIERARCHY",
  unknown: "404 NOT_FOUND",
  malformed: "404 NOT_FOUND"
}

/** The answers to a body that refers to a record outside the caller's subtree. */
const outsideIn = (field: string) => ({
  sibling: `422 ${field} OUTSIDE_HIERARCHY`,
  parent: `422 ${field} OUTSIDE_HIERARCHY`,
  stranger: `422 ${field} OUTSIDE_HIERARCHY`,
  unknown: `422 ${field} NOT_FOUND`,
  malformed: `422 ${field} INVALID_FORMAT`
})

/** The number of records that a filter by place finds. */
const found = (own: number, child: number, grandchild: number) => ({
  own: `200 ${own}`,
  child: `200 ${child}`,
  grandchild: `200 ${grandchild}`,
  sibling: "200 0",
  parent: "200 0",
  stranger: "200 0",
  unknown: "200 0",
  malformed: "422 query.partner_id INVALID_FORMAT"
})

/** The part of a row that does not follow from the table of operations and the API definition. */
interface Row {
  /** Default: the record that the path addresses. */
  readonly about?: RecordKind
  readonly query?: string
  readonly body?: (id: string) => Effect.Effect<unknown>
  /** The CSV file that is the body. */
  readonly file?: string
  /** True if only callers of a root are permitted. The callers of the other rows are not at a root. */
  readonly isForRoots?: boolean
  /** Differences from the usual answers: success inside the subtree, and a refusal outside. */
  readonly expected?: Partial<Readonly<Record<Place, string>>>
}

type NameTaking<Kind> = {
  [Name in OperationName]: (typeof operations)[Name]["takes"] extends Kind ? Name : never
}[OperationName]

/** Operations that take a body or search need a row: without it this does not compile. */
type Required =
  | NameTaking<"command" | "file" | "patch" | "query">
  | "searchApplications"
  | "listApplications"
  | "listAudit"
  | "listClients"
  | "listEvents"
  | "listPartners"
  | "listUsers"
  | "listProposals"
  | "listWebhooks"
  | "listCommissions"
  | "listCommissionPayouts"
  | "summarizeCommissions"

const rows: Readonly<Record<Required, Row> & Partial<Record<OperationName, Row>>> = {
  listPartners: {
    about: "partner",
    query: "parent_id",
    expected: { ...found(1, 1, 0), parent: "200 1", malformed: "422 query.parent_id INVALID_FORMAT" }
  },
  createPartner: {
    about: "partner",
    body: (id) => newPartner({ parent_uuid: id }),
    expected: outsideIn("partner.parent_uuid")
  },
  updatePartner: { body: () => Effect.succeed({ partner: { name: "Another Name" } }) },
  deletePartner: { expected: { own: "409 SELF_DELETE", child: "409 PARTNER_HAS_DEPENDENTS" } },
  putRouting: {
    body: () => Effect.succeed({ strategy: "FIRST", lenders: ["scripted"] }),
    expected: { own: "403 OWN_PARTNER" }
  },
  deleteRouting: { expected: { own: "403 OWN_PARTNER" } },
  listUsers: { about: "partner", query: "partner_id", expected: found(1, 0, 0) },
  createUser: { about: "partner", body: (id) => newUser({ partner_id: id }), expected: outsideIn("partner_id") },
  updateUser: { body: () => Effect.succeed({ name: "Another Name" }) },
  deleteUser: { expected: { own: "409 SELF_DELETE" } },
  listClients: { about: "clientOwner", query: "partner_id", expected: found(1, 1, 1) },
  createClient: {
    about: "partner",
    body: (id) => Effect.succeed({ name: "ERP", group_id: "viewer", partner_id: id }),
    expected: outsideIn("partner_id")
  },
  listApplications: { about: "contractor", query: "partner_id", expected: found(1, 1, 1) },
  searchApplications: {
    about: "reference",
    query: "external_id",
    expected: { ...found(1, 1, 1), malformed: "200 0" }
  },
  listAudit: {
    about: "audited",
    query: "subject_id",
    expected: { ...found(1, 1, 1), malformed: "200 0" }
  },
  listEvents: {
    about: "audited",
    query: "subject_id",
    expected: { ...found(1, 1, 1), malformed: "200 0" }
  },
  createApplication: {
    about: "partner",
    body: (id) => newApplication({ partner_id: id }),
    expected: outsideIn("partner_id")
  },
  acceptOffer: { body: () => Effect.succeed({ terms_accepted: true }) },
  cancelApplication: { body: () => Effect.succeed({ reason: "CUSTOMER_REQUEST" }) },
  withdrawFromProposal: {
    body: () => Effect.succeed({ reason: "CUSTOMER_REQUEST" }),
    expected: inside("409 PROPOSAL_NOT_WITHDRAWABLE")
  },
  renewSignatureLink: { expected: inside("409 SIGNATURE_NOT_PENDING") },
  updateApplication: { body: () => Effect.succeed({ metadata: { plan: "gold" } }) },
  submitKyc: { body: () => Effect.succeed({ nationality: "Brasileira" }) },
  listProposals: { about: "contractor", query: "partner_id", expected: found(1, 1, 1) },
  listWebhooks: {
    about: "webhookOwner",
    query: "partner_id",
    expected: found(1, 1, 1)
  },
  createWebhook: {
    about: "partner",
    body: (id) => Effect.succeed({ url: "https://example.com/lastro", partner_id: id }),
    expected: outsideIn("partner_id")
  },
  updateWebhook: { body: () => Effect.succeed({ status: "PAUSED" }) },
  listWebhookDeliveries: { expected: inside("200 1") },
  replayWebhook: { body: () => Effect.succeed({ from_sequence: 1 }) },
  createCommissionPlan: {
    body: () => Effect.succeed({ valid_from: "2199-12-31", rates: [{ of_parent: 50 }] }),
    expected: { own: "403 OWN_PARTNER" }
  },
  listCommissionPlans: { expected: { child: "200 1", grandchild: "200 1", own: "200 1" }, about: "planned" },
  getCurrentCommissionPlan: { about: "planned" },
  listCommissions: { about: "earner", query: "partner_id", expected: found(1, 1, 1) },
  summarizeCommissions: { about: "earner", query: "period=2020-01&partner_id", expected: found(1, 1, 1) },
  adjustCommission: {
    about: "partner",
    body: (id) => Effect.succeed({ partner_id: id, amount: -12.5, note: "Correction" }),
    expected: { ...outsideIn("partner_id"), own: "403 OWN_PARTNER" }
  },
  closeCommissions: {
    about: "earner",
    body: (id) => Effect.succeed({ partner_id: id, period: "2020-01" }),
    expected: { ...outsideIn("partner_id"), own: "403 OWN_PARTNER" }
  },
  createCommissionPayout: {
    about: "earner",
    body: (id) =>
      Effect.succeed({
        partner_id: id,
        period: "2020-01",
        amount: 12.5,
        reference: "TED 1",
        paid_at: "2020-02-01T12:00:00Z"
      }),
    expected: { ...outsideIn("partner_id"), own: "403 OWN_PARTNER", ...below("409 NOTHING_TO_PAY") }
  },
  listCommissionPayouts: { about: "payee", query: "partner_id", expected: found(1, 1, 1) },
  compareCommissionStatement: {
    about: "earner",
    file: "reference,paid_amount,commission_amount,paid_at\n",
    isForRoots: true,
    query: "period=2020-01&lender=sandbox&ignored",
    expected: Object.fromEntries(places.map((place) => [place, "403 PERMISSION_DENIED"]))
  }
}

/** Every operation with its request about a record, and the answer that it must give for each place. */
const cases = endpoints.flatMap((endpoint) => {
  if (endpoint.kind !== "operation") return []
  // One endpoint serves two operations. The query decides which of them runs.
  const names = endpoint.name === "listApplications"
    ? ["listApplications", "searchApplications"] as const
    : [endpoint.name]
  return names.map((name) => ({ ...endpoint, name }))
}).flatMap((endpoint) => {
  const { ids, method, name, path, status } = endpoint
  const { about, body, expected, file, isForRoots = false, query }: Row = rows[name] ?? {}
  const success = String(status)
  const defaults: Readonly<Record<Place, string>> = {
    ...inside(success),
    ...(ids.length > 0
      ? outside
      : { sibling: success, parent: success, stranger: success, unknown: success, malformed: success })
  }
  const request = Effect.fnUntraced(function*(id: string, headers: Sent["headers"] = {}) {
    const filled = path.replace(/:id\/offers\/:offer_id|:webhook_id\/deliveries\/:event_id|:[a-z_]+/, id)
    const sent: Sent = file !== undefined
      ? { method, body: file, headers: { ...headers, "content-type": "text/csv" } }
      : body === undefined
      ? { method, headers }
      : { method, headers, json: yield* body(id) }
    return { path: query === undefined ? filled : `${filled}?${query}=${id}`, sent }
  })
  return [{
    name,
    method,
    takes: operations[name].takes,
    about: about ?? addressed.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "user",
    request,
    isForRoots,
    expected: { ...defaults, ...expected }
  }]
})

/**
 * Groups the places whose requests can run on one server, because none of them changes a record: all places of a read, and those
 * with a refusal.
 */
const groupPlaces = (
  method: string,
  expected: Readonly<Record<Place, string>>
): ReadonlyArray<ReadonlyArray<Place>> => {
  const changing = places.filter((place) => method !== "GET" && expected[place].startsWith("2"))
  return [places.filter((place) => !changing.includes(place)), ...changing.map((place) => [place])]
}

const outcomeOf = (name: string, reply: Reply): string => {
  const total = name === "searchApplications" || name === "listEvents"
    ? at(reply, "data", "length")
    : at(reply, "page", "total_elements")
  if (total !== undefined) return `${reply.status} ${String(total)}`
  if (reply.status === 422) return `422 ${problemsOf(reply).join(", ")}`
  return reply.status < 400 ? String(reply.status) : `${reply.status} ${String(codeOf(reply))}`
}

const unknownId = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"

const unknownPaths: Partial<Readonly<Record<RecordKind, string>>> = {
  offer: `${unknownId}/offers/${unknownId}`,
  delivery: `${unknownId}/deliveries/${unknownId}`
}

describe("authorization matrix", () => {
  it("T01 covers every operation", () => {
    assert.sameMembers(cases.map(({ name }) => name), Object.keys(operations))
  })

  for (const { about, expected, isForRoots, method, name, request, takes } of cases) {
    it.effect(`T01 ${name} sees and changes only records in the caller's subtree`, () =>
      Effect.forEach(groupPlaces(method, expected), (group) =>
        withServer(Effect.gen(function*() {
          const server = yield* Server
          const arranged = yield* givenPlaces
          const ids: Readonly<Record<Place, string>> = yield* records[about](arranged)
          for (const place of group) {
            const { path, sent } = yield* request(ids[place])
            const anonymous = yield* server.send(path, sent)
            assert.strictEqual(anonymous.status, 401, "without a token")
            const reply = yield* server.send(path, { ...sent, token: arranged.caller.token })
            assert.strictEqual(outcomeOf(name, reply), expected[place], place)
          }
        }))))

    it.effect(`T01 ${name} is permitted only to groups with its permission, and not while a password change is due`, () =>
      withServer(Effect.gen(function*() {
        const server = yield* Server
        const { partners } = yield* givenPlaces
        const { permission } = operations[name]
        const partner = isForRoots ? partners.parent : partners.own
        const isForEveryone = permission === null
        const codeFor = Effect.fnUntraced(function*(token: string) {
          const { path, sent } = yield* request(unknownPaths[about] ?? unknownId)
          return codeOf(yield* server.send(path, { ...sent, token }))
        })
        for (const { slug } of groups) {
          const { token, user } = yield* givenCaller(partner, slug)
          const isPermitted = isForEveryone || groupBySlug(slug).permissions.includes(permission)
          assert.strictEqual((yield* codeFor(token)) !== "PERMISSION_DENIED", isPermitted, slug)
          const narrowed = yield* tokenFor("user", user.user_id, slug, [])
          assert.strictEqual(
            (yield* codeFor(narrowed)) !== "PERMISSION_DENIED",
            isForEveryone,
            `${slug} without a scope`
          )
          const due = yield* givenCaller(partner, slug, { must_change_password: true })
          assert.strictEqual(yield* codeFor(due.token), "PASSWORD_CHANGE_REQUIRED", `${slug} with a temporary password`)
        }
        const { token } = yield* givenClient(partner)
        assert.notStrictEqual(yield* codeFor(token), "PERMISSION_DENIED", "an API client of the administrators")
      })))

    it.effect(`${name} takes If-Match only for a change, and Idempotency-Key only for a command`, () =>
      withServer(Effect.gen(function*() {
        const server = yield* Server
        const arranged = yield* givenPlaces
        const { grandchild: id } = yield* records[about](arranged)
        const { token } = isForRoots ? yield* givenCaller(arranged.partners.parent) : arranged.caller
        const success = isForRoots ? "200" : expected.grandchild
        const outcomeWith = Effect.fnUntraced(function*(headers: Sent["headers"]) {
          const { path, sent } = yield* request(id, headers)
          return outcomeOf(name, yield* server.send(path, { ...sent, token }))
        })
        const isChange = takes === "patch" || takes === "deletion"
        const stale = yield* outcomeWith({ "if-match": "\"stale\"" })
        assert.strictEqual(stale, isChange ? "412 PRECONDITION_FAILED" : success)
        const isCommand = takes === "command" || takes === "optional command" || takes === "file"
        const malformed = yield* outcomeWith({ "idempotency-key": "a b" })
        assert.strictEqual(
          malformed,
          isCommand ? "422 header.Idempotency-Key INVALID_FORMAT" : success
        )
      })))
  }

  it.effect("T04 a refusal holds only its code, nothing of the record", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { caller: { token }, partners } = yield* givenPlaces
      const users = yield* givenUserIds(partners, partners.own.partner_id)
      const answer = (path: string, sent: Sent = {}) =>
        Effect.map(server.send(path, { token, ...sent, headers: { "x-request-id": "r" } }), (reply) => ({
          status: reply.status,
          text: reply.text,
          headers: [...reply.headers.keys()].toSorted().filter((name) => name !== "date")
        }))
      for (const sent of [{}, { method: "PATCH", json: {} }, { method: "DELETE" }]) {
        const outsiders = [
          yield* answer(`/api/v1/partners/${partners.sibling.partner_id}`, sent),
          yield* answer(`/api/v1/partners/${partners.parent.partner_id}`, sent),
          yield* answer(`/api/v1/partners/${partners.stranger.partner_id}`, sent),
          yield* answer(`/api/v1/users/${users.sibling}`, sent),
          yield* answer(`/api/v1/users/${users.stranger}`, sent)
        ]
        for (const outsider of outsiders) assert.deepStrictEqual(outsider, outsiders[0])
        assert.strictEqual(
          outsiders[0]?.text,
          "{\"error\":{\"code\":\"OUTSIDE_HIERARCHY\",\"message\":\"This record is outside your hierarchy.\",\"request_id\":\"r\",\"details\":[]}}"
        )
        const missing = [
          yield* answer("/api/v1/partners/nonsense", sent),
          yield* answer("/api/v1/partners/0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", sent),
          yield* answer("/api/v1/users/0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", sent)
        ]
        for (const one of missing) assert.deepStrictEqual(one, missing[0])
      }
    })))

  it.effect("T04 a refusal about an application, its KYC, its offers or its proposal holds only its code", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { caller: { token }, partners } = yield* givenPlaces
      const json = { terms_accepted: true, name: "Ana Souza", max_installments: 1 }
      const refusals = Effect.fnUntraced(function*(place: "sibling" | "stranger" | "unknown") {
        const application = (yield* givenApplicationIds(partners))[place]
        const paths: ReadonlyArray<readonly [path: string, sent: Sent]> = [
          [`/fgts/applications/${application}`, {}],
          [`/fgts/applications/${application}?include=quotes`, {}],
          [`/fgts/applications/${application}/status?wait=30`, { headers: { "if-none-match": "*" } }],
          [`/fgts/applications/${application}/kyc`, {}],
          [`/fgts/applications/${application}/kyc`, { json }],
          [`/fgts/applications/${application}/quotes`, { json }],
          [`/fgts/applications/${(yield* givenOfferPaths(partners))[place]}/accept`, { json }],
          [`/proposals/${(yield* givenProposalIds(partners))[place]}`, {}]
        ]
        return yield* Effect.forEach(paths, ([path, sent]) =>
          Effect.map(
            server.send(`/api/v1${path}`, { token, ...sent, headers: { ...sent.headers, "x-request-id": "r" } }),
            ({ status, text }) => `${status} ${text}`
          ))
      })
      for (const [place, refused] of [["sibling", /^403 /], ["stranger", /^403 /], ["unknown", /^404 /]] as const) {
        const answers = new Set(yield* refusals(place))
        assert.strictEqual(answers.size, 1, place)
        for (const one of answers) assert.match(one, refused)
      }
    })))

  it.effect("T01 an API client reads itself and not a user, even if its id is the id of a user", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { user } = yield* givenCaller(root, "manager")
      const { token } = yield* givenClient(root, undefined, { client_id: user.user_id })
      const own = yield* server.send("/api/v1/users/me", { token })
      assert.deepStrictEqual([at(own, "data", "client_id"), at(own, "data", "user_id")], [user.user_id, undefined])
      const change = { password: "a password of another" }
      const path = `/api/v1/users/${user.user_id}`
      const changed = yield* server.send(path, { token, method: "PATCH", json: change })
      assert.strictEqual(
        at(changed, "data", "must_change_password"),
        true,
        "the client changes another user's password, not its own"
      )
    })))
})
