import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { readFile } from "node:fs/promises"
import { openApi } from "../../src/api/openApi.ts"
import { operations } from "./operations.ts"

const document = openApi()
const source = `${JSON.stringify(document, null, 2)}\n`

/** The records that the API promises by name. */
const promised = [
  "AcceptFgtsOfferRequest",
  "AcceptFgtsOfferResponse",
  "AccountType",
  "Address",
  "ApiError",
  "ApiErrorCode",
  "ApiErrorResponse",
  "ApplicationStatus",
  "BankAccount",
  "BankerizeErrorResponse",
  "CivilStatus",
  "CreateFgtsApplicationRequest",
  "CreatePartnerRequest",
  "CreatePartnerResponse",
  "CreatePartnerResponseData",
  "CreateUserRequest",
  "CreateUserResponse",
  "CreateUserResponseData",
  "Customer",
  "Data",
  "DisbursementMethod",
  "ErrorDetail",
  "FgtsApplication",
  "FgtsApplicationList",
  "FgtsApplicationStatus",
  "FgtsInstallment",
  "FgtsKyc",
  "FgtsKycAddress",
  "FgtsKycBank",
  "FgtsOffer",
  "FgtsQuote",
  "FieldErrorCode",
  "Gender",
  "Group",
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
  "TokenRequest",
  "TokenResponse",
  "UpdatePartnerRequest",
  "UpdateUserRequest",
  "UserDetail",
  "UserDetailResponse",
  "UserListItem",
  "UserPartnerEntry",
  "UsersPage"
]

/** Records that are worth a name of their own beside them. */
const further = ["ProposalStatus", "RejectionCode", "RequoteFgtsApplicationRequest", "SubmitFgtsKycRequest"]

describe("openApi", () => {
  it("is the file that is checked in", async () => {
    const file = await readFile(new URL("../../openapi.json", import.meta.url), "utf8")
    assert.strictEqual(file, source, "run node scripts/openapi.ts")
  })

  it("defines the promised records by their names and few others", () => {
    assert.deepStrictEqual(Object.keys(document.components.schemas).toSorted(), [...promised, ...further].toSorted())
  })

  it("has no complaint from Redocly but that the record Data is for readers only", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
    assert.deepStrictEqual(problems.map(({ message, ruleId }) => `${ruleId}: ${message}`), [
      "no-unused-components: Component: \"Data\" is never used."
    ])
  })

  it("is an OpenAPI document by the schema of OpenAPI 3.1", async () => {
    assert.deepStrictEqual(await new Validator().validate(JSON.parse(source)), { valid: true })
  })

  it("refuses to be valid when it is broken", async () => {
    const broken = { ...JSON.parse(source), paths: { "/": { get: { responses: 1 } } } }
    assert.isFalse((await new Validator().validate(broken)).valid)
  })

  it("serves paths that no two operations share and ids that are unique", () => {
    const ids = operations(document).map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.strictEqual(ids.length, 28)
  })

  it("says of every record and field what it is", () => {
    const silent = Object.entries(document.components.schemas).flatMap(([name, schema]) => undescribed(name, schema))
    assert.deepStrictEqual(silent, [])
  })
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const saysSomething = (schema: Record<string, unknown>): boolean =>
  "description" in schema || "$ref" in schema ||
  (Array.isArray(schema["anyOf"]) && schema["anyOf"].some((one: unknown) => isObject(one) && saysSomething(one)))

const undescribed = (path: string, schema: unknown): ReadonlyArray<string> => {
  if (!isObject(schema)) return []
  const { anyOf, items, properties } = schema
  return [
    ...(saysSomething(schema) ? [] : [path]),
    ...(Array.isArray(anyOf) ? anyOf : []).flatMap((one: unknown) =>
      isObject(one) && isObject(one["properties"]) ? fields(path, one["properties"]) : []
    ),
    ...(isObject(items) && isObject(items["properties"]) ? fields(path, items["properties"]) : []),
    ...(isObject(properties) ? fields(path, properties) : [])
  ]
}

const fields = (path: string, properties: Record<string, unknown>): ReadonlyArray<string> =>
  Object.entries(properties).flatMap(([name, field]) => undescribed(`${path}.${name}`, field))
