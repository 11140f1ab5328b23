import { assert, describe, it } from "@effect/vitest"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { ApiErrorCode, statusOfCode } from "../../src/api/ApiError.ts"
import { errorResponsesOf } from "../../src/api/errorResponses.ts"
import { document, type Operation, operations } from "./operations.ts"

const endpoints: Array<HttpApiEndpoint.Top> = []
HttpApi.reflect(Api, { onGroup: () => undefined, onEndpoint: ({ endpoint }) => endpoints.push(endpoint) })

const all = operations(document)

const operationOf = ({ identifier }: { readonly identifier: string }): Operation => {
  const found = all.find(({ operation }) => operation.operationId === identifier)
  assert.isDefined(found, identifier)
  return found!.operation
}

const bearer = endpoints.filter(({ identifier }) => operationOf({ identifier }).security.some((one) => "bearer" in one))

const statusesOf = (operation: Operation): ReadonlyArray<number> => Object.keys(operation.responses).map(Number)

const includes = (all: ReadonlyArray<unknown>, some: ReadonlyArray<unknown>, where: string): void => {
  for (const one of some) assert.include(all, one, where)
}

/** The success status of a POST: 201 creates a record, 202 starts a job, 200 is done. */
const succeeds = (identifier: string): number =>
  identifier.startsWith("create") || identifier === "adjustCommission"
    ? 201
    : ["submitKyc", "rotateClientSecret", "rotateWebhookSecret", "closeCommissions", "compareCommissionStatement"]
        .includes(identifier)
    ? 200
    : 202

describe("Api", () => {
  it("has exactly these operations", () => {
    assert.deepStrictEqual(endpoints.map(({ identifier, method, path }) => `${identifier}: ${method} ${path}`), [
      "issueToken: POST /api/v1/oauth/token",
      "revokeToken: POST /api/v1/oauth/revoke",
      "listPartners: GET /api/v1/partners",
      "createPartner: POST /api/v1/partners",
      "getPartner: GET /api/v1/partners/:partner_uuid",
      "updatePartner: PATCH /api/v1/partners/:partner_uuid",
      "deletePartner: DELETE /api/v1/partners/:partner_uuid",
      "getRouting: GET /api/v1/partners/:partner_uuid/routing",
      "putRouting: PUT /api/v1/partners/:partner_uuid/routing",
      "deleteRouting: DELETE /api/v1/partners/:partner_uuid/routing",
      "listUsers: GET /api/v1/users",
      "createUser: POST /api/v1/users",
      "getOwnUser: GET /api/v1/users/me",
      "getUser: GET /api/v1/users/:user_uuid",
      "updateUser: PATCH /api/v1/users/:user_uuid",
      "deleteUser: DELETE /api/v1/users/:user_uuid",
      "listClients: GET /api/v1/clients",
      "createClient: POST /api/v1/clients",
      "getClient: GET /api/v1/clients/:client_id",
      "revokeClient: DELETE /api/v1/clients/:client_id",
      "rotateClientSecret: POST /api/v1/clients/:client_id/rotate-secret",
      "listGroups: GET /api/v1/groups",
      "listLenders: GET /api/v1/lenders",
      "listApplications: GET /api/v1/fgts/applications",
      "summarizeApplications: GET /api/v1/fgts/applications/summary",
      "createApplication: POST /api/v1/fgts/applications",
      "requoteApplication: POST /api/v1/fgts/applications/:id/quotes",
      "acceptOffer: POST /api/v1/fgts/applications/:id/offers/:offer_id/accept",
      "cancelApplication: POST /api/v1/fgts/applications/:id/cancel",
      "getKyc: GET /api/v1/fgts/applications/:id/kyc",
      "submitKyc: POST /api/v1/fgts/applications/:id/kyc",
      "getApplication: GET /api/v1/fgts/applications/:id",
      "updateApplication: PATCH /api/v1/fgts/applications/:id",
      "getApplicationStatus: GET /api/v1/fgts/applications/:id/status",
      "listProposals: GET /api/v1/proposals",
      "getProposal: GET /api/v1/proposals/:proposal_uuid",
      "withdrawFromProposal: POST /api/v1/proposals/:proposal_uuid/withdrawal",
      "renewSignatureLink: POST /api/v1/proposals/:proposal_uuid/signature-link",
      "createCommissionPlan: POST /api/v1/partners/:partner_uuid/commission-plans",
      "listCommissionPlans: GET /api/v1/partners/:partner_uuid/commission-plans",
      "getCurrentCommissionPlan: GET /api/v1/partners/:partner_uuid/commission-plans/current",
      "listCommissions: GET /api/v1/commissions",
      "summarizeCommissions: GET /api/v1/commissions/summary",
      "adjustCommission: POST /api/v1/commissions/adjustments",
      "closeCommissions: POST /api/v1/commissions/closings",
      "createCommissionPayout: POST /api/v1/commissions/payouts",
      "listCommissionPayouts: GET /api/v1/commissions/payouts",
      "compareCommissionStatement: POST /api/v1/commissions/statements",
      "listAudit: GET /api/v1/audit",
      "listEvents: GET /api/v1/events",
      "listWebhooks: GET /api/v1/webhooks",
      "createWebhook: POST /api/v1/webhooks",
      "getWebhook: GET /api/v1/webhooks/:webhook_id",
      "updateWebhook: PATCH /api/v1/webhooks/:webhook_id",
      "deleteWebhook: DELETE /api/v1/webhooks/:webhook_id",
      "rotateWebhookSecret: POST /api/v1/webhooks/:webhook_id/rotate-secret",
      "testWebhook: POST /api/v1/webhooks/:webhook_id/test",
      "listWebhookDeliveries: GET /api/v1/webhooks/:webhook_id/deliveries",
      "redeliverEvent: POST /api/v1/webhooks/:webhook_id/deliveries/:event_id/redeliver",
      "replayWebhook: POST /api/v1/webhooks/:webhook_id/replay",
      "receiveLenderCallback: POST /api/v1/lender-callbacks/:lender",
      "getHealthLive: GET /health/live",
      "getHealthReady: GET /health/ready",
      "getJwks: GET /.well-known/jwks.json",
      "getAuthorizationServerMetadata: GET /.well-known/oauth-authorization-server"
    ])
  })

  it("documents each with a summary, a description and its path", () => {
    for (const endpoint of endpoints) {
      const { description, summary } = operationOf(endpoint)
      assert.isNotEmpty(summary)
      assert.isNotEmpty(description)
      const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
      assert.isTrue(
        all.some((one) =>
          one.path === path && one.method === endpoint.method.toLowerCase() &&
          one.operation.operationId === endpoint.identifier
        ),
        endpoint.identifier
      )
    }
  })

  it("requires a token except for token and system operations and callbacks", () => {
    const open = endpoints.filter((endpoint) => !bearer.includes(endpoint)).map(({ identifier }) => identifier)
    assert.deepStrictEqual(open, [
      "issueToken",
      "revokeToken",
      "receiveLenderCallback",
      "getHealthLive",
      "getHealthReady",
      "getJwks",
      "getAuthorizationServerMetadata"
    ])
  })

  it("documents the statuses of every operation", () => {
    for (const endpoint of endpoints) {
      includes(statusesOf(operationOf(endpoint)), [405, 500], endpoint.identifier)
    }
    for (const endpoint of bearer) {
      includes(statusesOf(operationOf(endpoint)), [401, 403, 429, 503], endpoint.identifier)
    }
  })

  it("documents the statuses of bodies, patches, deletions, lists and creations", () => {
    for (const endpoint of bearer) {
      const { identifier, method } = endpoint
      const statuses = statusesOf(operationOf(endpoint))
      if (method === "POST" || method === "PATCH") includes(statuses, [400, 413, 415, 422], identifier)
      if (method === "PATCH" || method === "DELETE") includes(statuses, [404, 412], identifier)
      const isWhole = identifier === "listGroups" || identifier === "listLenders"
      if (identifier.startsWith("list") && !isWhole) includes(statuses, [403, 422], identifier)
      if (method === "POST") includes(statuses, [succeeds(identifier), 403, 409], identifier)
      if (method === "POST" && endpoint.path.includes(":")) includes(statuses, [404], identifier)
      if (identifier === "listApplications") includes(statuses, [200, 403, 422], identifier)
      if (method === "GET" && identifier.startsWith("get")) includes(statuses, [200, 304, 404], identifier)
    }
  })

  it("documents known codes only, each with its status", () => {
    const known = new Set<string>(ApiErrorCode.literals)
    for (const endpoint of [...bearer, ...endpoints.filter(({ path }) => !path.startsWith("/api"))]) {
      for (const { codes, status } of errorResponsesOf(endpoint)) {
        assert.isNotEmpty(codes)
        for (const code of codes) {
          assert.isTrue(known.has(code), code)
          assert.strictEqual(statusOfCode[code as ApiErrorCode], status)
        }
      }
    }
  })

  it("uses the envelope of each group", () => {
    for (const endpoint of endpoints) {
      const envelope = endpoint.path.startsWith("/api/v1/oauth")
        ? "OAuth2ErrorResponse"
        : /^\/api\/v1\/(?:partners|users|groups)/.test(endpoint.path)
        ? "BankerizeErrorResponse"
        : "ApiErrorResponse"
      for (const [status, { content = {} }] of Object.entries(operationOf(endpoint).responses)) {
        if (Number(status) < 400) continue
        assert.deepStrictEqual(content["application/json"]?.schema, { $ref: `#/components/schemas/${envelope}` })
      }
    }
  })

  it("documents response headers", () => {
    for (const endpoint of endpoints) {
      const { identifier } = endpoint
      for (const [status, { headers }] of Object.entries(operationOf(endpoint).responses)) {
        const names = Object.keys(headers)
        includes(names, ["X-Request-Id"], `${identifier} ${status}`)
        if (bearer.includes(endpoint)) includes(names, ["Vary"], `${identifier} ${status}`)
        if (status === "401") includes(names, ["WWW-Authenticate"], identifier)
        if (status === "405") includes(names, ["Allow"], identifier)
        if (status === "429" || status === "503") includes(names, ["Retry-After"], identifier)
        // Plans, entries and payouts have no page of their own.
        const located = identifier.includes("Commission") ? [] : ["ETag", "Location"]
        if (status === "201") includes(names, [...located, "Idempotency-Replayed"], identifier)
        if (status === "304") includes(names, ["ETag"], identifier)
        if (status === "202" || identifier === "submitKyc" && status === "200") {
          includes(names, ["Idempotency-Replayed"], identifier)
        }
        if (identifier === "getApplicationStatus" && Number(status) < 400) includes(names, ["Retry-After"], identifier)
      }
    }
  })

  it("documents conditional and idempotency headers where they are honoured", () => {
    const takers = (name: string): ReadonlyArray<string> =>
      endpoints.filter((endpoint) =>
        operationOf(endpoint).parameters.some((one) =>
          one.name === name || one.$ref === `#/components/parameters/${name.replaceAll("-", "")}`
        )
      ).map(({ identifier }) => identifier)
    assert.deepStrictEqual(takers("Idempotency-Key"), [
      "createPartner",
      "createUser",
      "createClient",
      "rotateClientSecret",
      "createApplication",
      "requoteApplication",
      "acceptOffer",
      "cancelApplication",
      "submitKyc",
      "withdrawFromProposal",
      "renewSignatureLink",
      "createCommissionPlan",
      "adjustCommission",
      "closeCommissions",
      "createCommissionPayout",
      "compareCommissionStatement",
      "createWebhook",
      "rotateWebhookSecret",
      "testWebhook",
      "redeliverEvent",
      "replayWebhook"
    ])
    assert.deepStrictEqual(takers("If-Match"), [
      "updatePartner",
      "deletePartner",
      "putRouting",
      "deleteRouting",
      "updateUser",
      "deleteUser",
      "revokeClient",
      "updateApplication",
      "updateWebhook",
      "deleteWebhook"
    ])
    assert.deepStrictEqual(takers("If-None-Match"), [
      "getPartner",
      "getRouting",
      "getOwnUser",
      "getUser",
      "getClient",
      "getKyc",
      "getApplication",
      "getApplicationStatus",
      "getProposal",
      "getCurrentCommissionPlan",
      "getWebhook"
    ])
  })

  it("documents page and size as integers and sort as a repeatable enum", () => {
    for (const identifier of ["listPartners", "listUsers", "listProposals"]) {
      const parameter = (name: string) => operationOf({ identifier }).parameters.find((one) => one.name === name)
      assert.deepStrictEqual(parameter("page")?.schema, { type: "integer" })
      assert.deepStrictEqual(parameter("size")?.schema, { type: "integer" })
      assert.include({ ...parameter("sort") }, { style: "form", explode: true })
      assert.include(JSON.stringify(parameter("sort")?.schema), "\"created_at,desc\"")
    }
  })

  it("requires no query, and a body except for commands that need no value", () => {
    const required = (identifier: string) =>
      operationOf({ identifier }).parameters.filter((one) => one.required === true)
    assert.deepStrictEqual(required("listApplications").map(({ name }) => name), [])
    assert.deepStrictEqual(required("getApplicationStatus").map(({ name }) => name), ["id"])
    const bodies = endpoints.flatMap((endpoint) => {
      const { requestBody } = operationOf(endpoint)
      return requestBody !== undefined && !requestBody.required ? [endpoint.identifier] : []
    })
    assert.sameMembers(bodies, [
      "cancelApplication",
      "redeliverEvent",
      "renewSignatureLink",
      "requoteApplication",
      "rotateClientSecret",
      "rotateWebhookSecret",
      "testWebhook"
    ])
  })
})
