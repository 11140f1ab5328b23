import { assert, describe, it } from "@effect/vitest"
import {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  calendarDate,
  centavos,
  CreateFgtsApplicationRequest,
  CreatePartnerRequest,
  CreateUserRequest,
  FgtsApplication,
  FgtsApplicationList,
  FgtsApplicationStatus,
  fgtsInstallment,
  FgtsKyc,
  KycValues,
  missingFields,
  noKyc,
  PartnerDetailResponse,
  PartnersPage,
  percent,
  priceOffer,
  ProposalsPage,
  PublicProposalDetailResponse,
  readTokenRequest,
  reaisOf,
  RequoteFgtsApplicationRequest,
  UserDetailResponse,
  UsersPage
} from "@lastro/domain"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result, Schema } from "effect"
import { openApi } from "../../src/api/openApi.ts"
import { kycValues, offer } from "../../src/api/openapi/originationRecords.ts"
import { type Media, operations } from "./operations.ts"

const document = openApi()
const all = operations(document)

const ajv = new Ajv2020({ allErrors: true, strict: false })
formats.default(ajv)
ajv.addSchema(document, "openapi.json")

/** Compiles a schema of the document, whose references are relative to it. */
const compile = (schema: object) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll("\"#/components", "\"openapi.json#/components")))

const exampleValue = ({ $ref, value }: { readonly $ref?: string; readonly value?: unknown }): unknown => {
  if ($ref === undefined) return value
  const shared = document.components["examples"] as Record<string, { readonly value: unknown }>
  return shared[$ref.slice("#/components/examples/".length)]?.value
}

const assertExamples = (where: string, { examples = {}, schema }: Media): void => {
  const validate = compile(schema)
  assert.isNotEmpty(examples, `${where} has no example`)
  for (const [name, example] of Object.entries(examples)) {
    assert.isTrue(validate(exampleValue(example)), `${where} ${name}: ${ajv.errorsText(validate.errors)}`)
  }
}

describe("examples", () => {
  for (const { operation } of all) {
    it(`of ${operation.operationId} are valid by their schemas`, () => {
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) assertExamples(type, media)
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const media of Object.values(content)) assertExamples(status, media)
      }
      for (const { example, name, schema } of operation.parameters) {
        if (schema === undefined || example === undefined) continue
        const validate = compile(schema)
        assert.isTrue(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`)
      }
    })
  }

  it("are judged by schemas that refuse something", () => {
    const validate = compile({ $ref: "#/components/schemas/PartnerDetail" })
    assert.isFalse(validate({}))
    assert.isFalse(validate({ partner_id: 1 }))
  })

  it("are judged by the bounds of the rules: a desired amount is more than nothing", () => {
    const validate = compile({ $ref: "#/components/schemas/RequoteFgtsApplicationRequest" })
    assert.isTrue(validate({ desired_amount: 0.01 }))
    assert.isTrue(validate({ desired_amount: null }))
    assert.isFalse(validate({ desired_amount: 0 }))
  })

  const values = (operationId: string, status?: string): ReadonlyArray<unknown> => {
    const operation = all.find(({ operation }) => operation.operationId === operationId)?.operation
    const holder = status === undefined ? operation?.requestBody : operation?.responses[status]
    const found = Object.values(holder?.content ?? {}).flatMap(({ examples = {} }) => Object.values(examples))
    assert.isNotEmpty(found)
    return found.map(exampleValue)
  }

  const decodes = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, examples: ReadonlyArray<unknown>): void => {
    const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
    for (const example of examples) {
      const decoded = decode(example)
      assert.isTrue(Result.isSuccess(decoded), Result.isFailure(decoded) ? String(decoded.failure) : "")
    }
  }

  it("are read by the domain, check digits and all", () => {
    decodes(CreatePartnerRequest, values("createPartner"))
    decodes(CreateUserRequest, values("createUser"))
    decodes(PartnersPage, values("listPartners", "200"))
    decodes(PartnerDetailResponse, values("getPartner", "200"))
    decodes(UsersPage, values("listUsers", "200"))
    decodes(UserDetailResponse, values("getUser", "200"))
    decodes(CreateFgtsApplicationRequest, values("createApplication"))
    decodes(RequoteFgtsApplicationRequest, values("requoteApplication"))
    decodes(AcceptFgtsOfferRequest, values("acceptOffer"))
    decodes(KycValues, [kycValues])
    decodes(FgtsApplicationList, values("searchApplications", "200"))
    decodes(FgtsApplication, values("createApplication", "201"))
    decodes(FgtsApplication, values("requoteApplication", "202"))
    decodes(FgtsApplication, values("getApplication", "200"))
    decodes(FgtsApplicationStatus, values("getApplicationStatus", "200"))
    decodes(AcceptFgtsOfferResponse, values("acceptOffer", "202"))
    decodes(FgtsKyc, values("getKyc", "200"))
    decodes(FgtsKyc, values("submitKyc", "200"))
    decodes(ProposalsPage, values("listProposals", "200"))
    decodes(PublicProposalDetailResponse, values("getProposal", "200"))
    for (const example of values("issueToken")) assert.isTrue(Result.isSuccess(readTokenRequest(example)))
  })

  it("show an offer as it is priced", () => {
    const { installments, ...terms } = Result.getOrThrow(priceOffer({
      released_on: calendarDate("2026-02-02"),
      monthly_rate: percent(offer.monthly_rate),
      fee: { kind: "fixed", amount: centavos(offer.fee_amount * 100) },
      installments: offer.installments.map(({ amount, due_date }) => ({
        due_date: calendarDate(due_date),
        amount: centavos(amount * 100)
      }))
    }))
    assert.deepStrictEqual(offer.installments, installments.map(fgtsInstallment))
    const { annual_cet, annual_rate, monthly_cet, monthly_rate, ...amounts } = terms
    assert.deepInclude(offer, { annual_cet, annual_rate, monthly_cet, monthly_rate })
    for (const [name, amount] of Object.entries(amounts)) {
      assert.strictEqual(Reflect.get(offer, name), reaisOf(amount), name)
    }
  })

  it("show a KYC of which nothing is missing, and name all that is before anything was submitted", () => {
    assert.deepStrictEqual(missingFields(Schema.decodeSync(KycValues)(kycValues)), [])
    const [prefilled] = values("getKyc", "200")
    const { missing_fields, prefilled_fields, ...shown } = Schema.decodeUnknownSync(FgtsKyc)(prefilled)
    assert.deepStrictEqual(missing_fields, missingFields(noKyc))
    assert.sameMembers([...prefilled_fields], Object.keys(noKyc).filter((name) => Reflect.get(shown, name) !== null))
  })
})
