import { assert, describe, it } from "@effect/vitest"
import { parseTokenRequest } from "@lastro/domain/identity"
import { KycValues, missingFields } from "@lastro/domain/kyc"
import { priceOffer } from "@lastro/domain/offer"
import {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  CreateFgtsApplicationRequest,
  FgtsApplication,
  FgtsApplicationsPage,
  FgtsApplicationStatus,
  fgtsInstallment,
  FgtsKycAnswer,
  ProposalsPage,
  PublicProposalDetailResponse,
  RequoteFgtsApplicationRequest
} from "@lastro/domain/origination"
import { CreatePartnerRequest, PartnerDetailResponse, PartnersPage } from "@lastro/domain/partner"
import { CreateUserRequest, UserDetailResponse, UsersPage } from "@lastro/domain/user"
import { calendarDate, centavos, parseEmail, percent, reaisOf } from "@lastro/domain/values"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result, Schema } from "effect"
import { document, type Media, operations } from "./operations.ts"

const all = operations(document)

const ajv = new Ajv2020({ allErrors: true, strict: false })
formats.default(ajv)
ajv.addFormat("idn-email", (text) => Result.isSuccess(parseEmail(text)))
ajv.addSchema(document, "openapi.json")

/** Compiles a schema of the document, whose references are relative to it. */
const compile = (schema: object) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll("\"#/components", "\"openapi.json#/components")))

const exampleValue = ({ $ref, value }: { readonly $ref?: string; readonly value?: unknown }): unknown => {
  if ($ref === undefined) return value
  const shared = document.components["examples"] as Record<string, { readonly value: unknown }>
  return shared[$ref.slice("#/components/examples/".length)]?.value
}

const examplesOf = ({ example, examples }: Media): ReadonlyArray<unknown> =>
  example === undefined ? Object.values(examples ?? {}).map(exampleValue) : [example]

const assertExamples = (where: string, media: Media): void => {
  const validate = compile(media.schema)
  assert.isNotEmpty(examplesOf(media), `${where} has no example`)
  for (const example of examplesOf(media)) {
    assert.isTrue(validate(example), `${where}: ${ajv.errorsText(validate.errors)}`)
  }
}

describe("examples", () => {
  for (const { operation } of all) {
    it(`of ${operation.operationId} are valid by their schemas`, () => {
      for (const [type, media] of Object.entries(operation.requestBody?.content ?? {})) assertExamples(type, media)
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const media of Object.values(content)) assertExamples(status, media)
      }
    })
  }

  it("e-mail addresses in another script are valid by the documented schemas, as they are accepted", () => {
    const formatsOf = (value: unknown, name: string): ReadonlyArray<unknown> =>
      typeof value !== "object" || value === null
        ? []
        : Object.entries(value).flatMap(([key, inner]) => [
          ...(key === name && typeof inner === "object" && inner !== null && "format" in inner ? [inner.format] : []),
          ...formatsOf(inner, name)
        ])
    const documented = formatsOf(document.components.schemas, "email")
    assert.isNotEmpty(documented)
    assert.deepStrictEqual([...new Set(documented)], ["idn-email"])
  })

  it("of every field are valid by its schema", () => {
    const assertField = (path: string, schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return
      if ("examples" in schema && Array.isArray(schema.examples)) {
        const validate = compile(schema)
        for (const example of schema.examples) {
          assert.isTrue(validate(example), `${path} ${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`)
        }
      }
      for (const [name, inner] of Object.entries(schema)) if (name !== "examples") assertField(`${path}.${name}`, inner)
    }
    assertField("schemas", document.components.schemas)
  })

  it("are validated by schemas that reject invalid values", () => {
    const validate = compile({ $ref: "#/components/schemas/PartnerDetail" })
    assert.isFalse(validate({}))
    assert.isFalse(validate({ partner_id: 1 }))
  })

  it("are validated by the bounds of the rules: a desired amount is positive", () => {
    const validate = compile({ $ref: "#/components/schemas/RequoteFgtsApplicationRequest" })
    assert.isTrue(validate({ desired_amount: 0.01 }))
    assert.isTrue(validate({ desired_amount: null }))
    assert.isFalse(validate({ desired_amount: 0 }))
  })

  const values = (operationId: string, status?: string): ReadonlyArray<unknown> => {
    const operation = all.find(({ operation }) => operation.operationId === operationId)?.operation
    const holder = status === undefined ? operation?.requestBody : operation?.responses[status]
    const { "text/csv": _, ...media } = holder?.content ?? {}
    const found = Object.values(media).flatMap(examplesOf)
    assert.isNotEmpty(found)
    return found
  }

  const decodes = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, examples: ReadonlyArray<unknown>): void => {
    const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
    for (const example of examples) {
      const decoded = decode(example)
      assert.isTrue(Result.isSuccess(decoded), Result.isFailure(decoded) ? String(decoded.failure) : "")
    }
  }

  it("decode by the domain's schemas, including check digits", () => {
    decodes(CreatePartnerRequest, values("createPartner"))
    decodes(CreateUserRequest, values("createUser"))
    decodes(PartnersPage, values("listPartners", "200"))
    decodes(PartnerDetailResponse, values("getPartner", "200"))
    decodes(UsersPage, values("listUsers", "200"))
    decodes(UserDetailResponse, values("getUser", "200"))
    decodes(CreateFgtsApplicationRequest, values("createApplication"))
    decodes(RequoteFgtsApplicationRequest, values("requoteApplication"))
    decodes(AcceptFgtsOfferRequest, values("acceptOffer"))
    decodes(FgtsApplicationsPage, values("listApplications", "200"))
    decodes(FgtsApplication, values("createApplication", "201"))
    decodes(FgtsApplication, values("requoteApplication", "202"))
    decodes(FgtsApplication, values("getApplication", "200"))
    decodes(FgtsApplicationStatus, values("getApplicationStatus", "200"))
    decodes(AcceptFgtsOfferResponse, values("acceptOffer", "202"))
    decodes(FgtsKycAnswer, values("getKyc", "200"))
    decodes(FgtsKycAnswer, values("submitKyc", "200"))
    decodes(ProposalsPage, values("listProposals", "200"))
    decodes(PublicProposalDetailResponse, values("getProposal", "200"))
    for (const example of values("issueToken")) {
      const credentials = { client_id: "id", client_secret: "secret" }
      assert.isTrue(Result.isSuccess(parseTokenRequest({ ...Object(example), ...credentials })))
    }
  })

  const [application] = values("getApplication", "200").map((value) => Schema.decodeUnknownSync(FgtsApplication)(value))
  const offer = application!.quote.offers[0]!

  it("contain a correctly priced offer", () => {
    const { installments, ...terms } = Result.getOrThrow(priceOffer({
      released_on: calendarDate(application!.created_at.slice(0, 10)),
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

  it("contain a proposal with the terms of that offer", () => {
    for (const value of values("getProposal", "200")) {
      const { installments, loan } = Schema.decodeUnknownSync(PublicProposalDetailResponse)(value).data
      const { first_due_date, installments_count, last_due_date, ...terms } = loan
      assert.deepInclude(offer, terms)
      assert.deepStrictEqual(installments, offer.installments)
      assert.deepStrictEqual(
        [first_due_date, last_due_date, installments_count],
        [installments[0]?.due_date, installments.at(-1)?.due_date, installments.length]
      )
    }
  })

  it("contain a complete KYC of the customer of the application", () => {
    for (const value of values("submitKyc")) {
      const kyc = Schema.decodeUnknownSync(KycValues)(value)
      assert.deepStrictEqual(missingFields(kyc, undefined), [])
      assert.strictEqual<string | null>(kyc.cpf, application!.customer.cpf)
      assert.strictEqual<string | null>(kyc.birth_date, application!.customer.birth_date)
    }
  })
})
