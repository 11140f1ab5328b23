import { assert, describe, it } from "@effect/vitest"
import { LenderApi, lenderOpenApi } from "@lastro/adapters-http"
import { sandboxDigits, sandboxScenarios } from "@lastro/domain/adapters"
import { Lender } from "@lastro/domain/lender"
import { aCompleteKyc, aQuoteRequest, aResubmission, aSubmission, exampleBank } from "@lastro/testkit"
import { completeKyc, customer as customers } from "@lastro/testkit/arbitraries"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import * as fc from "fast-check"
import { readFile } from "node:fs/promises"
import { overHttp } from "./asking.ts"

const document = lenderOpenApi()
const source = `${JSON.stringify(document, null, 2)}\n`

const ajv = new Ajv2020({ allErrors: true, strict: false })
formats.default(ajv)
ajv.addFormat("idn-email", /@/u)
ajv.addSchema(document, "lender.openapi.json")

const complaints = (record: string, value: unknown): string => {
  const validate = ajv.getSchema(`lender.openapi.json#/components/schemas/${record}`)
  assert.isDefined(validate, record)
  return validate!(value) ? "" : `${record}: ${ajv.errorsText(validate!.errors)}`
}

/** Customers to whom the lender responds at once. */
const answered = customers.filter(({ cpf }) => !["71", "96", "98"].includes(sandboxDigits(cpf)))

/** The documented request and response schemas, by method and path. */
const records = (method: string, path: string): { readonly sent: string | undefined; readonly expected: string } =>
  path === "/quotes"
    ? { sent: "QuoteRequest", expected: "Quotation" }
    : path === "/contracts"
    ? { sent: "ContractRequest", expected: "Contract" }
    : method === "GET"
    ? { sent: undefined, expected: "Contract" }
    : { sent: "DisbursementRequest", expected: "Contract" }

describe("lender protocol", () => {
  it("equals the checked-in file", async () => {
    const file = await readFile(new URL("../../lender.openapi.json", import.meta.url), "utf8")
    assert.strictEqual(file, source, "run pnpm openapi")
  })

  it("passes the Redocly linter", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source, absoluteRef: "lender.openapi.json", config })
    assert.deepStrictEqual(problems.map(({ message, ruleId }) => `${ruleId}: ${message}`), [])
  })

  it("is valid by the JSON schema of OpenAPI 3.1", async () => {
    assert.deepStrictEqual(await new Validator().validate(JSON.parse(source)), { valid: true })
  })

  it("describes exactly the operations that the adapter calls", () => {
    const defined: Array<string> = []
    HttpApi.reflect(LenderApi, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint }) => defined.push(`${endpoint.method} ${endpoint.path.replace(/:(\w+)/g, "{$1}")}`)
    })
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)
    )
    assert.deepStrictEqual(described, [
      "POST /quotes",
      "POST /contracts",
      "GET /contracts/{reference}",
      "POST /contracts/{reference}/disbursements",
      "POST /contracts/cancellations",
      "POST /contracts/{reference}/refunds",
      "POST /contracts/{reference}/signature-links"
    ])
    assert.sameMembers(defined, described)
  })

  it.live("requests and accepted responses match the document", () =>
    overHttp(
      Effect.fnUntraced(function*({ calls }) {
        const lender = yield* Lender
        for (const digits of sandboxScenarios.keys()) {
          if (digits !== "98") yield* Effect.exit(lender.quote(aQuoteRequest(digits, { attempt: 3 })))
        }
        for (const customer of fc.sample(answered, 50)) {
          yield* lender.quote(aQuoteRequest("00", { customer, number: 2, attempt: 3 }))
        }
        const made = yield* lender.submit(aSubmission("88"))
        yield* lender.contract(made.reference)
        const bank = { method: "BANK_TRANSFER", pix: null, bank: exampleBank } as const
        yield* lender.resubmit({ ...aResubmission(made.reference), disbursement: bank })
        const submission = aSubmission("00")
        for (const kyc of fc.sample(completeKyc(submission.customer), 50)) {
          yield* Effect.exit(lender.submit({ ...submission, kyc }))
        }
        yield* lender.submit({
          ...submission,
          kyc: aCompleteKyc().for(submission.customer).build(),
          disbursement: bank
        }).pipe(
          Effect.exit
        )
        assert.isAtLeast(calls.length, 120)
        for (const { answer, body, method, path } of calls) {
          const { expected, sent } = records(method, path)
          if (sent !== undefined) assert.strictEqual(complaints(sent, body), "")
          if (answer !== null && answer.status < 300) assert.strictEqual(complaints(expected, answer.body), "")
        }
      }),
      { breaker: { failures: 1_000, openFor: "1 minute" } }
    ))

  it("the validator reports mismatches", () => {
    assert.notStrictEqual(complaints("Contract", { reference: "../x", status: "PAID", disbursement_attempt: 1 }), "")
    assert.notStrictEqual(complaints("Quotation", { kind: "REFUSED" }), "")
    assert.strictEqual(complaints("Contract", { reference: "x", status: "PAID", disbursement_attempt: 1, more: 1 }), "")
  })
})
