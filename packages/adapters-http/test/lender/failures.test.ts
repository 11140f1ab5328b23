import { assert, describe, it } from "@effect/vitest"
import { sandboxAnswer } from "@lastro/domain/adapters"
import { Lender, type LenderUnavailable, type SubmissionInvalid } from "@lastro/domain/lender"
import { signatureLink } from "@lastro/domain/loan"
import { reaisOf } from "@lastro/domain/values"
import { aQuoteRequest, aResubmission, aSubmission } from "@lastro/testkit"
import { type LenderFault } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import * as fc from "fast-check"
import { createServer } from "node:http"
import { overHttp, quoting } from "./asking.ts"

/** A breaker that never opens in these tests. */
const breaker = { failures: 1_000, openFor: "1 minute" } as const
const mismatch = "the response does not match the lender protocol"
const wrong = (expectation: string) => `${mismatch}: ${expectation}`
const otherKind = wrong("Expected { readonly \"kind\": \"PRICED\", ... } | { readonly \"kind\": \"REFUSED\", ... }")
const notJson = wrong("Expected a valid JSON string")
const notStorable = wrong("rejection.message: Expected a text without NUL and lone surrogates")
const json = { "content-type": "application/json" }
const respondWith = (body: unknown): LenderFault => ({ status: 200, headers: json, body: JSON.stringify(body) })

/** A valid response to a quote request. */
const quotation = () => {
  const { quotation } = sandboxAnswer(aQuoteRequest("00"))
  const [offer] = quotation?.kind === "PRICED" ? quotation.offers : []
  const { installments, ...terms } = offer!.terms
  const reais = (record: object) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, name.endsWith("amount") ? reaisOf(value) : value])
    )
  return {
    kind: "PRICED",
    offers: [{ table: offer!.table, ...reais(terms), installments: installments.map(reais) }],
    unpriced: []
  }
}

const withOfferFields = (fields: object) =>
  respondWith({ ...quotation(), offers: [{ ...quotation().offers[0], ...fields }] })

/** Faults of a lender, with the detail of the resulting failure, and its reason. Default: ASKED. */
const faults: Readonly<Record<string, readonly [LenderFault, string, LenderUnavailable["reason"]?]>> = {
  "an internal error": [{ status: 500 }, "status 500"],
  "service unavailable": [{ status: 503 }, "status 503"],
  "service unavailable for a stated time": [
    { status: 503, headers: { "retry-after": "1" } },
    "status 503",
    "THROTTLED"
  ],
  "too many calls": [{ status: 429, headers: json, body: "{}" }, "status 429", "THROTTLED"],
  "a bad request": [
    { status: 400, headers: json, body: "{\"message\":\"529.982.247-25\"}" },
    "status 400"
  ],
  "an invalid token": [{ status: 401 }, "status 401", "FORBIDDEN"],
  "a missing right": [{ status: 403 }, "status 403", "FORBIDDEN"],
  "a redirect": [{ status: 302, headers: { location: "/elsewhere" } }, "status 302"],
  "a permanent redirect that keeps the body": [
    { status: 308, headers: { location: "http://127.0.0.1:1/" } },
    "status 308"
  ],
  "no content": [{ status: 204 }, "status 204"],
  "an empty body": [{ status: 200, headers: json }, otherKind],
  "an HTML page": [{ status: 200, headers: { "content-type": "text/html" }, body: "<h1>Maintenance</h1>" }, notJson],
  "truncated JSON": [{ status: 200, headers: json, body: "{\"kind\":\"PRI" }, notJson],
  "a truncated response": ["HALF", "connection failed: ECONNRESET"],
  "a dropped connection": ["DROP", "connection failed: ECONNRESET"],
  "a timeout": ["SILENCE", "timeout"],
  "more than 1 MiB": [
    { status: 200, headers: json, body: JSON.stringify({ ...quotation(), padding: "x".repeat(2 ** 21) }) },
    "connection failed: RESPONSE_TOO_LARGE"
  ],
  "an unknown kind": [respondWith({ kind: "MAYBE" }), otherKind],
  "a list": [respondWith([]), otherKind],
  "no offers": [respondWith({ kind: "PRICED" }), wrong("offers: Missing key")],
  "a refusal without a reason": [respondWith({ kind: "REFUSED" }), wrong("rejection: Missing key")],
  "a message with NUL": [
    respondWith({ kind: "REFUSED", rejection: { code: "NO_BALANCE", message: "Sem\u0000saldo" } }),
    notStorable
  ],
  "a lone surrogate": [
    respondWith({ kind: "REFUSED", rejection: { code: "NO_BALANCE", message: "Sem\ud800saldo" } }),
    notStorable
  ],
  "an amount as text": [withOfferFields({ net_amount: "1134.41" }), wrong("offers[0].net_amount: Expected number")],
  "an amount with float artefacts": [
    withOfferFields({ net_amount: 304.65999999999997 }),
    wrong("offers[0].net_amount: INVALID_FORMAT (decimals: 2)")
  ],
  "a negative amount": [
    withOfferFields({ fee_amount: -10 }),
    wrong("offers[0].fee_amount: Expected a value greater than or equal to 0")
  ],
  "a missing amount": [withOfferFields({ net_amount: undefined }), wrong("offers[0].net_amount: Missing key")],
  "an invalid instant": [
    withOfferFields({ valid_until: "tomorrow" }),
    wrong("offers[0].valid_until: INVALID_FORMAT (expected: YYYY-MM-DDThh:mm:ssZ)")
  ],
  "a day that does not exist": [
    withOfferFields({ installments: [{ ...quotation().offers[0]!.installments[0], due_date: "2027-02-30" }] }),
    wrong("offers[0].installments[0].due_date: INVALID_FORMAT (expected: YYYY-MM-DD)")
  ],
  "a table without a name": [
    withOfferFields({ table: { code: "", label: "x" } }),
    wrong("offers[0].table.code: TOO_SHORT (min: 1)")
  ]
}

const failing = (fault: LenderFault) =>
  overHttp(
    Effect.fnUntraced(function*({ calls, injectFaults }) {
      injectFaults(fault)
      const failure = yield* Effect.flip(quoting("00"))
      assert.lengthOf(calls, 1, "called once")
      return failure
    }),
    { breaker, timeout: fault === "SILENCE" ? "200 millis" : "20 seconds" }
  )

const failureLine = (failure: LenderUnavailable | SubmissionInvalid) =>
  failure._tag === "LenderUnavailable" ? `${failure.reason} ${failure.detail}` : failure._tag

describe("a lender that violates the protocol", () => {
  for (const [what, [fault, detail, reason = "ASKED"]] of Object.entries(faults)) {
    it.live(`is unavailable: ${what}`, () =>
      Effect.map(failing(fault), (failure) => assert.strictEqual(failureLine(failure), `${reason} quote: ${detail}`)))
  }

  it.live("states the delay of Retry-After", () =>
    Effect.gen(function*() {
      for (
        const [status, header, expected] of [[429, "7", 7_000], [503, "7", 7_000], [429, "soon", undefined]] as const
      ) {
        const failure = yield* failing({ status, headers: { "retry-after": header } })
        assert.strictEqual(failure._tag === "LenderUnavailable" ? failure.retry_after_ms : NaN, expected)
      }
    }))

  it.live("states the delay of the body if there is no header", () =>
    Effect.gen(function*() {
      for (
        const [headers, body, expected] of [
          [json, "{\"retry_after\":7}", 7_000],
          [json, "{\"retry_after\":0.2}", 1_000],
          [json, "{\"retry_after\":\"7\"}", 7_000],
          [{ ...json, "retry-after": "2" }, "{\"retry_after\":7}", 2_000],
          [{ ...json, "retry-after": "soon" }, "{\"retry_after\":7}", 7_000],
          [json, "{\"retry_after\":-7}", undefined],
          [json, "{\"retry_after\":null}", undefined],
          [json, "[7]", undefined],
          [json, "<html>", undefined],
          [json, "", undefined]
        ] as const
      ) {
        const failure = yield* failing({ status: 429, headers, body })
        assert.strictEqual(failureLine(failure), "THROTTLED quote: status 429")
        assert.strictEqual(failure._tag === "LenderUnavailable" ? failure.retry_after_ms : NaN, expected, body)
      }
      const outage = yield* failing({ status: 503, headers: json, body: "{\"retry_after\":7}" })
      assert.strictEqual(failureLine(outage), "ASKED quote: status 503")
    }))

  it.live("is unavailable: connection refused", () =>
    Effect.gen(function*() {
      const url = yield* overHttp(({ url }) => Effect.succeed(url))
      const failure = yield* overHttp(() => Effect.flip(quoting("00")), { url, breaker })
      assert.strictEqual(failureLine(failure), "UNREACHED quote: connection failed: ECONNREFUSED")
    }))

  it.live("is unavailable for contracts and payments alike", () =>
    overHttp(
      Effect.fnUntraced(function*({ injectFaults }) {
        const lender = yield* Lender
        const calls = {
          submit: lender.submit(aSubmission("00")),
          contract: lender.contract("lender/1"),
          resubmit: lender.resubmit(aResubmission("lender/1"))
        }
        const contract = { reference: "lender/1", status: "PAID", signature_url: null, rejection: null }
        const spoils: ReadonlyArray<readonly [LenderFault, string]> = [
          [{ status: 500 }, "status 500"],
          [{ status: 404 }, "status 404"],
          ["DROP", "connection failed: ECONNRESET"],
          [{ status: 200, body: "<html>" }, notJson],
          [respondWith({ ...contract, disbursement_attempt: 1, status: "SUBMITTING" }), wrong("status: Expected ")],
          [
            respondWith({ ...contract, disbursement_attempt: 0 }),
            wrong("disbursement_attempt: Expected a value greater than or equal to 1")
          ],
          [
            respondWith({ ...contract, disbursement_attempt: 1, reference: "../../quotes" }),
            wrong("reference: Expected ")
          ],
          [respondWith({ ...contract, disbursement_attempt: 1, reference: "" }), wrong("reference: Expected ")]
        ]
        for (const [operation, call] of Object.entries(calls)) {
          for (const [fault, detail] of spoils) {
            injectFaults(fault)
            assert.include(failureLine(yield* Effect.flip(call)), `ASKED ${operation}: ${detail}`)
          }
        }
      }),
      { breaker }
    ))

  it.live("FGTS-70 returns a contract with any signature link, because the domain withholds unsafe links", () =>
    overHttp(Effect.fnUntraced(function*({ injectFaults }) {
      const lender = yield* Lender
      for (
        const signature_url of ["", "/sign/1", "javascript:alert(1)", `https://lender.example/${"a".repeat(2_048)}`]
      ) {
        const contract = { reference: "lender/1", status: "PAID" as const, signature_url, disbursement_attempt: 1 }
        injectFaults(respondWith(contract))
        assert.deepInclude(yield* lender.contract("lender/1"), contract)
        assert.isNull(signatureLink(signature_url))
      }
    })))

  it.live("rejects a response about another contract", () =>
    overHttp(Effect.fnUntraced(function*({ injectFaults }) {
      const lender = yield* Lender
      injectFaults(respondWith({ reference: "lender/2", status: "PAID", disbursement_attempt: 1 }))
      const failure = yield* Effect.flip(lender.contract("lender/1"))
      assert.strictEqual(failureLine(failure), "ASKED contract: the response is about another contract")
    })))

  it.live("survives arbitrary JSON responses", () =>
    overHttp(
      Effect.fnUntraced(function*({ injectFaults }) {
        for (const body of fc.sample(fc.json({ maxDepth: 4 }), 200)) {
          injectFaults({ status: 200, headers: json, body })
          assert.include(failureLine(yield* Effect.flip(quoting("00"))), `ASKED quote: ${mismatch}`, body)
        }
        for (const body of ["[".repeat(500_000), `{"a":`.repeat(100_000), `{"kind":${"[".repeat(400_000)}`]) {
          injectFaults({ status: 200, headers: json, body })
          assert.include(failureLine(yield* Effect.flip(quoting("00"))), `ASKED quote: ${mismatch}`)
        }
        const deep = `{"kind":"PRICED","offers":[],"unpriced":[],"more":${"[".repeat(400_000)}${"]".repeat(400_000)}}`
        injectFaults({ status: 200, headers: json, body: deep })
        assert.deepStrictEqual(yield* quoting("00"), { kind: "PRICED", offers: [], unpriced: [] })
      }),
      { breaker }
    ))

  it.live("T52 redirects are not followed", () =>
    Effect.acquireUseRelease(
      Effect.promise(() => {
        let calls = 0
        const elsewhere = createServer((_, response) => {
          calls++
          response.end()
        })
        return new Promise<{ readonly port: number; readonly calls: () => number; readonly close: () => void }>(
          (resolve) => {
            elsewhere.listen(0, "127.0.0.1", () => {
              const address = elsewhere.address()
              const port = typeof address === "object" && address !== null ? address.port : 0
              resolve({ port, calls: () => calls, close: () => elsewhere.close() })
            })
          }
        )
      }),
      ({ calls, port }) =>
        Effect.gen(function*() {
          for (const status of [301, 302, 303, 307, 308]) {
            const failure = yield* failing({ status, headers: { location: `http://127.0.0.1:${port}/` } })
            assert.strictEqual(failureLine(failure), `ASKED quote: status ${status}`)
          }
          assert.strictEqual(calls(), 0)
        }),
      ({ close }) => Effect.sync(close)
    ))
})
