import { assert, describe, it } from "@effect/vitest"
import { type GroupSlug } from "@lastro/domain"
import { givenRoot } from "@lastro/testkit"
import { Effect } from "effect"
import { type OperationName, operations } from "../../src/operations/operations.ts"
import { endpoints } from "../../src/pipeline/endpoints.ts"
import { newApplication, newPartner, newUser } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply, type Sent } from "../client.ts"
import { givenCaller, givenClient, tokenFor } from "../given.ts"
import { served, Server } from "../harness.ts"
import {
  givenApplicationIds,
  givenOfferPaths,
  givenPlaces,
  givenProposalIds,
  givenReferences,
  givenUserIds,
  partnerIds,
  type Place,
  places
} from "./places.ts"

type Given = Effect.Success<typeof givenPlaces>

/** What is in the places, and what names it. */
const things = {
  partner: ({ partners }: Given) => Effect.succeed(partnerIds(partners)),
  user: ({ caller, partners }: Given) => givenUserIds(partners, caller.user.user_id),
  application: ({ partners }: Given) => givenApplicationIds(partners),
  offer: ({ partners }: Given) => givenOfferPaths(partners),
  reference: ({ partners }: Given) => givenReferences(partners),
  proposal: ({ partners }: Given) => givenProposalIds(partners),
  /** Partners with a proposal each. */
  contractor: ({ partners }: Given) => Effect.as(givenProposalIds(partners), partnerIds(partners))
} as const

type About = keyof typeof things

/** An operation asked about a record in some place, and what it has to answer for each place. */
interface Row {
  /** What stands for the places. */
  readonly about: About
  readonly ask: (id: string) => Effect.Effect<{ readonly path: string } & Sent>
  readonly expected: Readonly<Record<Place, string>>
}

const ask = (path: string, sent: Sent = {}) => Effect.succeed({ path, ...sent })

/** What an operation on an existing record answers where the caller may not go. */
const outside = {
  sibling: "403 OUTSIDE_HIERARCHY",
  parent: "403 OUTSIDE_HIERARCHY",
  stranger: "403 OUTSIDE_HIERARCHY",
  unknown: "404 NOT_FOUND",
  malformed: "404 NOT_FOUND"
}

const inside = (status: string) => ({ own: status, child: status, grandchild: status })

const everywhere = (status: string) => ({
  ...inside(status),
  sibling: status,
  parent: status,
  stranger: status,
  unknown: status,
  malformed: status
})

/** What an operation answers whose body refers to a record where the caller may not go. */
const outsideIn = (field: string) => ({
  sibling: `422 ${field} OUTSIDE_HIERARCHY`,
  parent: `422 ${field} OUTSIDE_HIERARCHY`,
  stranger: `422 ${field} OUTSIDE_HIERARCHY`,
  unknown: `422 ${field} NOT_FOUND`,
  malformed: `422 ${field} INVALID_FORMAT`
})

/** How many a filter by place finds. */
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

/** A row for every operation: one that is missing does not compile. */
const rows: Readonly<Record<OperationName, Row>> = {
  listPartners: {
    about: "partner",
    ask: (id) => ask(`/api/v1/partners?parent_id=${id}`),
    expected: { ...found(1, 1, 0), parent: "200 1", malformed: "422 query.parent_id INVALID_FORMAT" }
  },
  createPartner: {
    about: "partner",
    ask: (id) => Effect.map(newPartner({ parent_uuid: id }), (json) => ({ path: "/api/v1/partners", json })),
    expected: { ...inside("201"), ...outsideIn("partner.parent_uuid") }
  },
  getPartner: {
    about: "partner",
    ask: (id) => ask(`/api/v1/partners/${id}`),
    expected: { ...inside("200"), ...outside }
  },
  updatePartner: {
    about: "partner",
    ask: (id) => ask(`/api/v1/partners/${id}`, { method: "PATCH", json: { partner: { name: "Another Name" } } }),
    expected: { ...inside("200"), ...outside }
  },
  deletePartner: {
    about: "partner",
    ask: (id) => ask(`/api/v1/partners/${id}`, { method: "DELETE" }),
    expected: { own: "409 SELF_DELETE", child: "409 PARTNER_HAS_DEPENDENTS", grandchild: "204", ...outside }
  },
  listUsers: {
    about: "partner",
    ask: (id) => ask(`/api/v1/users?partner_id=${id}`),
    expected: found(1, 0, 0)
  },
  createUser: {
    about: "partner",
    ask: (id) => Effect.map(newUser({ partner_id: id }), (json) => ({ path: "/api/v1/users", json })),
    expected: { ...inside("201"), ...outsideIn("partner_id") }
  },
  getOwnUser: { about: "user", ask: () => ask("/api/v1/users/me"), expected: everywhere("200") },
  getUser: { about: "user", ask: (id) => ask(`/api/v1/users/${id}`), expected: { ...inside("200"), ...outside } },
  updateUser: {
    about: "user",
    ask: (id) => ask(`/api/v1/users/${id}`, { method: "PATCH", json: { name: "Another Name" } }),
    expected: { ...inside("200"), ...outside }
  },
  deleteUser: {
    about: "user",
    ask: (id) => ask(`/api/v1/users/${id}`, { method: "DELETE" }),
    expected: { own: "409 SELF_DELETE", child: "204", grandchild: "204", ...outside }
  },
  listGroups: { about: "user", ask: () => ask("/api/v1/groups"), expected: everywhere("200") },
  searchApplications: {
    about: "reference",
    ask: (reference) => ask(`/api/v1/fgts/applications?external_id=${reference}`),
    expected: { ...found(1, 1, 1), malformed: "200 0" }
  },
  createApplication: {
    about: "partner",
    ask: (id) =>
      Effect.map(newApplication({ partner_id: id }), (json) => ({ path: "/api/v1/fgts/applications", json })),
    expected: { ...inside("201"), ...outsideIn("partner_id") }
  },
  requoteApplication: {
    about: "application",
    ask: (id) => ask(`/api/v1/fgts/applications/${id}/quotes`, { method: "POST" }),
    expected: { ...inside("202"), ...outside }
  },
  acceptOffer: {
    about: "offer",
    ask: (path) => ask(`/api/v1/fgts/applications/${path}/accept`, { json: { terms_accepted: true } }),
    expected: { ...inside("202"), ...outside }
  },
  getKyc: {
    about: "application",
    ask: (id) => ask(`/api/v1/fgts/applications/${id}/kyc`),
    expected: { ...inside("200"), ...outside }
  },
  submitKyc: {
    about: "application",
    ask: (id) => ask(`/api/v1/fgts/applications/${id}/kyc`, { json: { nationality: "Brasileira" } }),
    expected: { ...inside("200"), ...outside }
  },
  getApplication: {
    about: "application",
    ask: (id) => ask(`/api/v1/fgts/applications/${id}`),
    expected: { ...inside("200"), ...outside }
  },
  getApplicationStatus: {
    about: "application",
    ask: (id) => ask(`/api/v1/fgts/applications/${id}/status`),
    expected: { ...inside("200"), ...outside }
  },
  listProposals: {
    about: "contractor",
    ask: (id) => ask(`/api/v1/proposals?partner_id=${id}`),
    expected: found(1, 1, 1)
  },
  getProposal: {
    about: "proposal",
    ask: (id) => ask(`/api/v1/proposals/${id}`),
    expected: { ...inside("200"), ...outside }
  }
}

const outcome = (name: string, reply: Reply): string => {
  const total = name === "searchApplications" ? at(reply, "data", "length") : at(reply, "page", "total_elements")
  if (total !== undefined) return `${reply.status} ${String(total)}`
  if (reply.status === 422) return `422 ${problemsOf(reply).join(", ")}`
  return reply.status < 400 ? String(reply.status) : `${reply.status} ${String(codeOf(reply))}`
}

describe("authorization matrix", () => {
  it("T01 every operation of the API that needs a token has a row, and no other", () => {
    const named = endpoints.flatMap(({ kind, name }) => kind === "operation" ? [name] : [])
    assert.sameMembers(Object.keys(rows), named)
    assert.sameMembers(Object.keys(operations), named)
  })

  for (const [name, row] of Object.entries(rows)) {
    it.effect(`T01 ${name} acts on what lies in the caller's subtree, and on nothing else`, () =>
      Effect.forEach(places, (place) =>
        served(Effect.gen(function*() {
          const server = yield* Server
          const given = yield* givenPlaces
          const { caller } = given
          const ids: Readonly<Record<Place, string>> = yield* things[row.about](given)
          const { path, ...sent } = yield* row.ask(ids[place])
          const anonymous = yield* server.send(path, sent)
          assert.strictEqual(anonymous.status, 401, "needs a token")
          const reply = yield* server.send(path, { ...sent, token: caller.token })
          assert.strictEqual(outcome(name, reply), row.expected[place], place)
        }))))
  }

  /** Who may do what: the permissions of contract §3, and what everybody may. */
  const permitted: Readonly<Record<OperationName, ReadonlyArray<GroupSlug>>> = {
    listPartners: ["admin", "manager", "operator", "viewer"],
    createPartner: ["admin"],
    getPartner: ["admin", "manager", "operator", "viewer"],
    updatePartner: ["admin"],
    deletePartner: ["admin"],
    listUsers: ["admin", "manager", "viewer"],
    createUser: ["admin", "manager"],
    getOwnUser: ["admin", "manager", "operator", "viewer"],
    getUser: ["admin", "manager", "viewer"],
    updateUser: ["admin", "manager"],
    deleteUser: ["admin", "manager"],
    listGroups: ["admin", "manager", "operator", "viewer"],
    searchApplications: ["admin", "manager", "operator", "viewer"],
    createApplication: ["admin", "manager", "operator"],
    requoteApplication: ["admin", "manager", "operator"],
    acceptOffer: ["admin", "manager", "operator"],
    getKyc: ["admin", "manager", "operator"],
    submitKyc: ["admin", "manager", "operator"],
    getApplication: ["admin", "manager", "operator", "viewer"],
    getApplicationStatus: ["admin", "manager", "operator", "viewer"],
    listProposals: ["admin", "manager", "operator", "viewer"],
    getProposal: ["admin", "manager", "operator", "viewer"]
  }

  for (const name of Object.keys(permitted) as ReadonlyArray<OperationName>) {
    it.effect(`T01 ${name} is for the groups that are allowed it, and for nobody whose password change is due`, () =>
      served(Effect.gen(function*() {
        const server = yield* Server
        const { partners } = yield* givenPlaces
        const row = rows[name]
        const id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
        const unknown = row.about === "offer" ? `${id}/offers/${id}` : id
        const code = Effect.fnUntraced(function*(token: string) {
          const { path, ...sent } = yield* row.ask(unknown)
          return codeOf(yield* server.send(path, { ...sent, token }))
        })
        for (const group of ["admin", "manager", "operator", "viewer"] as const) {
          const { token, user } = yield* givenCaller(partners.own, group)
          const allowed = permitted[name].includes(group)
          assert.strictEqual((yield* code(token)) !== "PERMISSION_DENIED", allowed, group)
          const narrowed = yield* tokenFor("user", user.user_id, group, [])
          const everybodys = name === "listGroups" || name === "getOwnUser"
          assert.strictEqual((yield* code(narrowed)) === "PERMISSION_DENIED", !everybodys, `${group} without a scope`)
          const due = yield* givenCaller(partners.own, group, { must_change_password: true })
          assert.strictEqual(yield* code(due.token), "PASSWORD_CHANGE_REQUIRED", `${group} with a temporary password`)
        }
        const { token } = yield* givenClient(partners.own)
        assert.notStrictEqual(yield* code(token), "PERMISSION_DENIED", "an API client of the administrators")
      })))
  }

  it.effect("T04 a refusal says no more than its code: nothing of the record, and the same for every record", () =>
    served(Effect.gen(function*() {
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

  it.effect("T04 nor does one about an application, its KYC, its offers or its proposal", () =>
    served(Effect.gen(function*() {
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
        const told = new Set(yield* refusals(place))
        assert.strictEqual(told.size, 1, place)
        for (const one of told) assert.match(one, refused)
      }
    })))

  it.effect("T01 an API client has no user of its own, not even one that its id names", () =>
    served(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* givenRoot()
      const { user } = yield* givenCaller(root, "admin")
      const { token } = yield* givenClient(root, undefined, { client_id: user.user_id })
      assert.strictEqual((yield* server.send("/api/v1/users/me", { token })).status, 404)
      const change = { password: "a password of another" }
      const path = `/api/v1/users/${user.user_id}`
      const changed = yield* server.send(path, { token, method: "PATCH", json: change })
      assert.strictEqual(
        at(changed, "data", "must_change_password"),
        true,
        "it changes another's password, not its own"
      )
    })))
})
