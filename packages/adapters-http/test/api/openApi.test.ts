import { assert, describe, it } from "@effect/vitest"
import { permissions } from "@lastro/domain/access"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { readFile } from "node:fs/promises"
import { openApi } from "../../src/api/openapi/openApi.ts"
import { document, operations, type Parameter } from "./operations.ts"

const source = `${JSON.stringify(document, null, 2)}\n`

/** The record names that the API guarantees. */
const promised = [
  "AcceptFgtsOfferRequest",
  "AcceptFgtsOfferResponse",
  "AccountType",
  "Address",
  "AdjustCommissionRequest",
  "ApiError",
  "ApiErrorCode",
  "ApiErrorResponse",
  "ApplicationStatus",
  "BankAccount",
  "BankerizeErrorResponse",
  "CancelFgtsApplicationRequest",
  "CivilStatus",
  "CloseCommissionsRequest",
  "CommissionClosing",
  "CommissionEntry",
  "CommissionPayout",
  "CommissionPayoutsPage",
  "CommissionPlan",
  "CommissionPlansPage",
  "CommissionRate",
  "CommissionSummary",
  "CommissionSummaryPage",
  "CommissionTotal",
  "CommissionsPage",
  "CreateCommissionPlanRequest",
  "CreateFgtsApplicationRequest",
  "CreatePartnerRequest",
  "CreatePartnerResponse",
  "CreatePartnerResponseData",
  "CreatePayoutRequest",
  "CreateUserRequest",
  "CreateUserResponse",
  "CreateUserResponseData",
  "Customer",
  "Data",
  "DisbursementMethod",
  "Education",
  "ErrorDetail",
  "Event",
  "EventFeed",
  "EventType",
  "FgtsApplication",
  "FgtsApplicationList",
  "FgtsApplicationListItem",
  "FgtsApplicationStatus",
  "FgtsApplicationSummary",
  "FgtsApplicationsPage",
  "FgtsCustomerSummary",
  "FgtsInstallment",
  "FgtsKyc",
  "FgtsKycAddress",
  "FgtsKycBank",
  "FgtsLender",
  "FgtsOffer",
  "FgtsQuote",
  "FgtsQuotePart",
  "FieldErrorCode",
  "Gender",
  "Group",
  "KycDocumentKind",
  "KycDocumentReference",
  "ListOfGroupsResponse",
  "OAuth2ErrorResponse",
  "OfferStatus",
  "PageInfo",
  "Partner",
  "PartnerDetail",
  "PartnerDetailResponse",
  "PartnerListItem",
  "PartnersPage",
  "Pix",
  "PixKeyType",
  "ProposalsPage",
  "PublicCustomerSummary",
  "PublicDisbursementAccount",
  "PublicLoanSummary",
  "PublicProposalDetail",
  "PublicProposalDetailResponse",
  "PublicProposalListItem",
  "QuoteStatus",
  "RejectionKind",
  "RejectionReason",
  "SortInfo",
  "StatementComparison",
  "StatementDifference",
  "TokenRequest",
  "TokenResponse",
  "UpdatePartnerRequest",
  "UpdateUserRequest",
  "UserDetail",
  "UserDetailResponse",
  "UserListItem",
  "UserPartnerEntry",
  "UsersPage",
  "WithdrawFromProposalRequest"
]

/** Other named records. */
const further = [
  "ApiClient",
  "ApiClientResponse",
  "ApiClientSecretResponse",
  "ApiClientsPage",
  "CreateApiClientRequest",
  "OwnApiClient",
  "OwnPrincipalResponse",
  "RotateApiClientSecretRequest",
  "ApplicationEventData",
  "AuditItem",
  "AuditPage",
  "ClientEventData",
  "EventTypeOrGroup",
  "FgtsCustomer",
  "KycStatus",
  "LenderItem",
  "ListOfLendersResponse",
  "NextAction",
  "PartnerEventData",
  "PartnerRouting",
  "PartnerRoutingResponse",
  "ProposalEventData",
  "ProposalStatus",
  "PutRoutingRequest",
  "RejectionCode",
  "RenewSignatureLinkRequest",
  "RequoteFgtsApplicationRequest",
  "SubmitFgtsKycRequest",
  "UpdateFgtsApplicationRequest",
  "UserEventData",
  "CreateWebhookRequest",
  "EmptyWebhookRequest",
  "ReplayWebhookRequest",
  "UpdateWebhookRequest",
  "Webhook",
  "WebhookDeliveriesPage",
  "WebhookDelivery",
  "WebhookHealth",
  "WebhookStopReason",
  "WebhookWithSecret",
  "WebhooksPage"
]

describe("openApi", () => {
  it("is the checked-in file", async () => {
    const file = await readFile(new URL("../../openapi.json", import.meta.url), "utf8")
    assert.strictEqual(file, source, "run pnpm openapi")
  })

  it("defines the guaranteed records by name", () => {
    assert.deepStrictEqual(Object.keys(document.components.schemas).toSorted(), [...promised, ...further].toSorted())
  })

  it("passes Redocly's recommended rules, so no component is unused", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
    assert.deepStrictEqual(problems.map(({ message, ruleId }) => `${ruleId}: ${message}`), [])
  })

  it("is valid by the schema of OpenAPI 3.1", async () => {
    assert.deepStrictEqual(await new Validator().validate(JSON.parse(source)), { valid: true })
  })

  it("is invalid when broken", async () => {
    const broken = { ...JSON.parse(source), paths: { "/": { get: { responses: 1 } } } }
    assert.isFalse((await new Validator().validate(broken)).valid)
  })

  it("has unique operation ids", () => {
    const ids = operations(document).map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.strictEqual(ids.length, 65)
  })

  it("describes every record and field", () => {
    const undescribed = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      listUndescribed(name, schema)
    )
    assert.deepStrictEqual(undescribed, [])
  })

  it("has no parameter value that a documentation page would send by itself", () => {
    const shared = Object.values(document.components["parameters"] ?? {}) as ReadonlyArray<Parameter>
    for (const parameter of [...shared, ...operations(document).flatMap(({ operation }) => operation.parameters)]) {
      for (const prefill of ["example", "examples", "default"]) {
        assert.notProperty(parameter, prefill)
        assert.notProperty(parameter.schema ?? {}, prefill)
      }
    }
  })

  it("signs in by OAuth 2, relative to the base path, and by bearer token", () => {
    const schemes = openApi("/lending").components["securitySchemes"]
    assert.deepNestedInclude(schemes, {
      "bearer.type": "http",
      "bearer.scheme": "bearer",
      "bearer.bearerFormat": "JWT"
    })
    for (const flow of ["clientCredentials", "password"]) {
      assert.deepNestedInclude(schemes, { [`oauth2.flows.${flow}.tokenUrl`]: "/lending/api/v1/oauth/token" })
      assert.sameMembers(Object.keys(scopesOf(schemes, flow)), [...permissions])
    }
  })

  it("INPUT-03 allows null for the optional fields of a new record, and not for those of a patch", () => {
    const acceptsNull = (schema: string, field: string): boolean =>
      JSON.stringify(Object(document.components.schemas[schema]?.["properties"])[field]).includes("\"null\"")
    assert.isTrue(acceptsNull("CreateUserRequest", "password"))
    assert.isTrue(acceptsNull("CreateUserRequest", "metadata"))
    assert.isTrue(acceptsNull("CreateWebhookRequest", "types"))
    assert.isFalse(acceptsNull("CreateUserRequest", "email"))
    assert.isFalse(acceptsNull("UpdateUserRequest", "name"))
  })

  it("allows unknown parameters in token requests", () => {
    assert.strictEqual(document.components.schemas["TokenRequest"]?.["additionalProperties"], true)
  })
})

const scopesOf = (schemes: unknown, flow: string): object =>
  ["oauth2", "flows", flow, "scopes"].reduce<unknown>(
    (value, key) => Reflect.get(Object(value), key),
    schemes
  ) as object

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const isDescribed = (schema: Record<string, unknown>): boolean =>
  "description" in schema || "$ref" in schema ||
  (Array.isArray(schema["anyOf"]) && schema["anyOf"].some((one: unknown) => isObject(one) && isDescribed(one)))

const listUndescribed = (path: string, schema: unknown): ReadonlyArray<string> => {
  if (!isObject(schema)) return []
  const { anyOf, items, properties } = schema
  return [
    ...(isDescribed(schema) ? [] : [path]),
    ...(Array.isArray(anyOf) ? anyOf : []).flatMap((one: unknown) =>
      isObject(one) && isObject(one["properties"]) ? listUndescribedFields(path, one["properties"]) : []
    ),
    ...(isObject(items) && isObject(items["properties"]) ? listUndescribedFields(path, items["properties"]) : []),
    ...(isObject(properties) ? listUndescribedFields(path, properties) : [])
  ]
}

const listUndescribedFields = (path: string, properties: Record<string, unknown>): ReadonlyArray<string> =>
  Object.entries(properties).flatMap(([name, field]) => listUndescribed(`${path}.${name}`, field))
