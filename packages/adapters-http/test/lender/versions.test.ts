import { assert, describe, it } from "@effect/vitest"
import { layerHttpLender } from "@lastro/adapters-http"
import { Lender, type LenderQuotation } from "@lastro/domain/lender"
import { type ContractSubmission, noExits } from "@lastro/domain/loan"
import {
  type DocumentNumber,
  type OfferId,
  type PartnerId,
  type ProposalId,
  type Timestamp,
  timestampOf
} from "@lastro/domain/values"
import { aQuoteRequest, aResubmission, aSubmission } from "@lastro/testkit"
import { Effect } from "effect"
import { createServer } from "node:http"
import { overHttp } from "./asking.ts"

/**
 * The bodies of version 1, as the first release sent them, with the rate limit that was added to the policy later. Each
 * line is a request. Fields can be added, but the others must never change.
 */
const version1 = [
  "{\"application_id\":\"0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40\",\"quote_id\":\"0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f41\",\"number\":1,\"attempt\":1,\"requested_at\":\"2026-12-01T15:00:00.000Z\",\"released_on\":\"2026-12-01\",\"customer\":{\"cpf\":\"10000003700\",\"birth_date\":\"1990-08-20\",\"name\":null,\"email\":null,\"phone\":null},\"policy\":{\"version\":\"CCFGTS-1130/2025-2\",\"max_installments\":3,\"min_installment\":100,\"max_installment\":500,\"max_monthly_rate\":1.8},\"max_installments\":null,\"desired_amount\":null}",
  "{\"proposal_id\":\"0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f42\",\"application_id\":\"0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40\",\"accepted_at\":\"2026-12-01T15:00:00.000Z\",\"offer\":{\"offer_id\":\"0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f43\",\"table\":{\"code\":\"A\",\"label\":\"Tabela A\"},\"gross_amount\":1260.76,\"principal_amount\":926.93,\"iof_daily_amount\":23.41,\"iof_additional_amount\":3.52,\"iof_amount\":26.93,\"fee_amount\":0,\"net_amount\":900,\"monthly_rate\":1.8,\"annual_rate\":23.872053,\"monthly_cet\":2.01,\"annual_cet\":26.98,\"installments\":[{\"number\":1,\"due_date\":\"2027-08-01\",\"amount\":500,\"principal_amount\":432.73,\"interest_amount\":67.27,\"calendar_days\":243},{\"number\":2,\"due_date\":\"2028-08-01\",\"amount\":500,\"principal_amount\":348.09,\"interest_amount\":151.91,\"calendar_days\":609},{\"number\":3,\"due_date\":\"2029-08-01\",\"amount\":260.76,\"principal_amount\":146.11,\"interest_amount\":114.65,\"calendar_days\":974}]},\"customer\":{\"name\":\"Ana Exemplo\",\"cpf\":\"10000003700\",\"birth_date\":\"1990-08-20\",\"gender\":\"F\",\"civil_status\":\"MARRIED\",\"mother_name\":\"Rita Exemplo\",\"nationality\":\"Brasileira\",\"document\":{\"type\":\"RG\",\"number\":\"123456789\",\"issuer\":\"SSP\",\"uf\":\"SP\",\"issued_at\":\"2010-03-01\"},\"email\":\"ana@example.com\",\"phone\":\"11987654321\",\"is_pep\":false,\"address\":{\"zipcode\":\"01310100\",\"uf\":\"SP\",\"city\":\"São Paulo\",\"neighborhood\":\"Bela Vista\",\"street\":\"Avenida Paulista\",\"number\":\"1578\",\"complement\":null}},\"disbursement\":{\"method\":\"PIX\",\"pix\":{\"type\":\"CPF\",\"key\":\"10000003700\"},\"bank\":null}}",
  "{\"proposal_id\":\"0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f42\",\"disbursement_attempt\":2,\"requested_at\":\"2026-12-01T15:00:00.000Z\",\"disbursement\":{\"method\":\"PIX\",\"pix\":{\"type\":\"CPF\",\"key\":\"10000003700\"},\"bank\":null}}"
]

/** Runs a test with a server that records raw bodies, answers nothing, and sends these headers. */
const withRawServer = <A, E>(
  headers: Readonly<Record<string, string>>,
  test: (bodies: ReadonlyArray<string>) => Effect.Effect<A, E, Lender>
) =>
  Effect.scoped(Effect.gen(function*() {
    const bodies: Array<string> = []
    const server = createServer((request, response) => {
      let text = ""
      request.on("data", (chunk) => {
        text += String(chunk)
      })
      request.on("end", () => {
        bodies.push(text)
        response.writeHead(500, headers).end()
      })
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () => Effect.sync(() => server.close())
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return yield* Effect.provide(test(bodies), layerHttpLender({ url: `http://127.0.0.1:${port}` }), { local: true })
  }))

const requested_at = "2026-12-01T15:00:00.000Z" as Timestamp
const reason = "CUSTOMER_REQUEST"

const origin: ContractSubmission["origin"] = {
  partner: {
    partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f50" as PartnerId,
    document_number: "11222333000181" as DocumentNumber
  },
  agent: { id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f51", name: "Ana Agente", cpf: null }
}

/** The KYC fields of version 2. */
const additional = {
  profession: "Professora",
  monthly_income: 3500.5,
  education: "HIGHER",
  spouse_name: "Paulo Exemplo",
  documents: [{ kind: "SELFIE", reference: "2026/selfie.jpg", sha256: null }]
} as const

/** A submission of the first offer of a quotation. */
const submissionOf = (quotation: LenderQuotation, digits: string, fields: Partial<ContractSubmission> = {}) => {
  const [offer] = quotation.kind === "PRICED" ? quotation.offers : []
  const { lender_ref, table, terms } = offer!
  const submission = aSubmission(digits)
  return {
    ...submission,
    offer: {
      ...submission.offer,
      offer_id: submission.offer.offer_id as OfferId,
      table,
      terms,
      ...(lender_ref === undefined || lender_ref === null ? {} : { lender_ref })
    },
    acceptance: { accepted_at: requested_at, ip: "200.1.2.3", user_agent: "Mozilla/5.0" },
    origin,
    ...fields
  }
}

const json = { "content-type": "application/json" }

describe("versions of the lender protocol", () => {
  it.live("every request offers version 2, and the bodies for a version 1 lender are those of the first release", () =>
    withRawServer({}, (bodies) =>
      Effect.gen(function*() {
        const lender = yield* Lender
        yield* Effect.exit(lender.quote(aQuoteRequest("00")))
        const acceptance = { accepted_at: requested_at, ip: "200.1.2.3", user_agent: "Mozilla/5.0" }
        const { kyc, ...submission } = aSubmission("00")
        const extended = { ...kyc, ...additional }
        yield* Effect.exit(lender.submit({ ...submission, kyc: extended, acceptance, origin }))
        yield* Effect.exit(lender.resubmit(aResubmission("lender/1")))
        assert.deepStrictEqual(bodies, version1)
      })))

  it.live("a submission has the same body before and after the version of the lender is known", () =>
    withRawServer({ "lastro-lender-protocol": "2" }, (bodies) =>
      Effect.gen(function*() {
        const lender = yield* Lender
        // The answer shows version 2, but the offer of the submission was made with version 1.
        yield* Effect.exit(lender.submit(aSubmission("00")))
        yield* Effect.exit(lender.submit(aSubmission("00")))
        assert.deepStrictEqual(bodies, [version1[1]!, version1[1]!])
      })))

  it.live("a version 1 lender receives no field and no operation of version 2, and offers no exit", () =>
    overHttp(
      Effect.fnUntraced(function*({ calls }) {
        const lender = yield* Lender
        assert.deepStrictEqual(yield* lender.exits, noExits)
        assert.deepStrictEqual(calls.map(({ method, path }) => `${method} ${path}`), ["GET /contracts/lastro-protocol"])
        const quotation = yield* lender.quote(aQuoteRequest("70"))
        const { reference } = yield* lender.submit(submissionOf(quotation, "00"))
        const { proposal_id } = aSubmission("00")
        const exits = [
          lender.cancel({ proposal_id, reference, reason, requested_at }),
          lender.refund({ proposal_id, reference, reason, requested_at }),
          lender.signatureLink(reference)
        ]
        for (const exit of exits) assert.strictEqual((yield* Effect.flip(exit))._tag, "LenderUnsupported")
        assert.lengthOf(calls, 3)
        for (const { headers } of calls) assert.strictEqual(headers["lastro-lender-protocol"], "2")
        for (const { answer } of calls.slice(1)) assert.isBelow(answer!.status, 300)
      }),
      { version: 1 }
    ))

  it.live("LENDER-20 the known exits are read without a call, and the first answer of a version 2 lender shows them", () =>
    overHttp(Effect.fnUntraced(function*({ calls }) {
      const { exits, knownExits = Effect.die("knownExits is missing"), quote } = yield* Lender
      assert.isNull(yield* knownExits)
      assert.lengthOf(calls, 0)
      assert.strictEqual((yield* exits).cancel, true)
      assert.lengthOf(calls, 1)
      assert.deepStrictEqual(yield* knownExits, yield* exits)
      yield* quote(aQuoteRequest("00"))
      assert.deepStrictEqual(yield* knownExits, yield* exits)
      assert.lengthOf(calls, 2)
    })))

  it.live("LENDER-20 the exits of a version 1 lender are known after its first valid answer", () =>
    overHttp(
      Effect.fnUntraced(function*({ calls }) {
        const { exits, knownExits = Effect.die("knownExits is missing"), quote } = yield* Lender
        assert.deepStrictEqual(yield* exits, noExits)
        // A proxy can send the same 404.
        assert.isNull(yield* knownExits)
        yield* quote(aQuoteRequest("00"))
        assert.deepStrictEqual(yield* knownExits, noExits)
        assert.lengthOf(calls, 2)
      }),
      { version: 1 }
    ))

  it.live("the answers of a version 1 lender are read without the fields of version 2", () =>
    overHttp(
      Effect.fnUntraced(function*({ injectFaults }) {
        const lender = yield* Lender
        const contract = { reference: "lender/1", status: "PAID", disbursement_attempt: 1 }
        const respond = (body: object, status = 200) =>
          injectFaults({ status, headers: json, body: JSON.stringify(body) })
        respond({ ...contract, paid: true, terms: "signed", refund: 1, required_action: "none" })
        assert.deepStrictEqual(yield* lender.contract("lender/1"), {
          ...contract,
          status: "PAID",
          signature_url: null,
          rejection: null
        })
        const mismatch = "contract: the response does not match the lender protocol: status: Expected "
        for (const status of ["REFUNDED", "SETTLED"]) {
          respond({ ...contract, status })
          const failure = yield* Effect.flip(lender.contract("lender/1"))
          assert.include(failure._tag === "LenderUnavailable" ? failure.detail : "", mismatch)
        }
        respond({ kind: "PENDING", lender_state: "s", look_at: requested_at }, 202)
        assert.deepInclude(yield* Effect.flip(lender.quote(aQuoteRequest("00"))), { reason: "ASKED" })
      }),
      { version: 1 }
    ))

  it.live("a proxy that answers in place of the lender does not show its version", () =>
    overHttp(
      Effect.fnUntraced(function*({ calls, injectFaults }) {
        const lender = yield* Lender
        for (const status of [302, 401, 403, 429, 502, 503]) {
          injectFaults({ status })
          assert.strictEqual((yield* Effect.flip(lender.exits))._tag, "LenderUnavailable", String(status))
        }
        // Only the lender's own 404 shows a version. It is not remembered, because a proxy can send one, too.
        injectFaults({ status: 404 })
        assert.deepStrictEqual(yield* lender.exits, noExits)
        assert.strictEqual((yield* lender.exits).cancel, true)
        const { length } = calls
        assert.strictEqual((yield* lender.exits).refund, true)
        assert.lengthOf(calls, length, "the version is known now")
      }),
      { breaker: { failures: 1_000, openFor: "1 minute" } }
    ))
})

describe("version 2 of the lender protocol", () => {
  it.live("a PENDING quote hands its state back, and the submission hands back the reference, evidence and origin", () =>
    overHttp(Effect.fnUntraced(function*({ calls }) {
      const lender = yield* Lender
      const pending = yield* lender.quote(aQuoteRequest("77"))
      assert.deepInclude(pending, { kind: "PENDING", callback_key: null })
      const lender_state = pending.kind === "PENDING" ? pending.lender_state : ""
      const quotation = yield* lender.quote(aQuoteRequest("77", { lender_state }))
      assert.strictEqual(quotation.kind, "PRICED")
      const { kyc } = aSubmission("77")
      const extended = { ...kyc, ...additional }
      const submission = submissionOf(quotation, "77", { kyc: extended })
      const made = yield* lender.submit(submission)
      assert.deepStrictEqual(yield* lender.submit(submission), made)
      const [first, second, third, fourth] = calls.map(({ body }) => body as Readonly<Record<string, unknown>>)
      assert.notProperty(first, "lender_state")
      assert.strictEqual(second!["lender_state"], lender_state)
      assert.deepStrictEqual(third, fourth)
      assert.deepInclude(third!["offer"], { lender_ref: "ref:standard" })
      assert.deepInclude(third!["customer"], additional)
      assert.deepInclude(third, { acceptance: submission.acceptance, origin })
    })))

  it.live("400 and 422 on a submission are SubmissionInvalid with the known fields, in both versions", () =>
    overHttp(
      Effect.fnUntraced(function*({ injectFaults }) {
        const lender = yield* Lender
        const bodies: ReadonlyArray<readonly [body: string, fields: ReadonlyArray<string>]> = [
          ["", []],
          ["<html>", []],
          ["{}", []],
          [JSON.stringify({ fields: [{ field: "address.zipcode", code: "UNKNOWN" }] }), ["address.zipcode UNKNOWN"]],
          [JSON.stringify({ fields: ["customer.address.zipcode", "mother_name"] }), [
            "address.zipcode INVALID",
            "mother_name INVALID"
          ]],
          [
            JSON.stringify({
              errors: [{ path: "disbursement.pix.key", code: "não é <code>" }, { path: "disbursement.method" }]
            }),
            [
              "pix.key INVALID",
              "disbursement_method INVALID"
            ]
          ],
          [JSON.stringify({ fields: ["secret.of.the.lender", 7, null, { field: {} }, "__proto__", "constructor"] }), []]
        ]
        for (const status of [400, 422]) {
          for (const header of [{}, { "lastro-lender-protocol": "2" }]) {
            for (const [body, fields] of bodies) {
              injectFaults({ status, headers: { ...json, ...header }, body })
              const failure = yield* Effect.flip(lender.submit(aSubmission("00")))
              assert.strictEqual(failure._tag, "SubmissionInvalid")
              const named = failure._tag === "SubmissionInvalid" ? failure.fields : []
              assert.deepStrictEqual(named.map(({ code, field }) => `${field} ${code}`), fields)
            }
          }
        }
        for (const status of [401, 403, 404, 408, 409, 425, 500]) {
          injectFaults({ status, headers: json, body: JSON.stringify({ fields: ["name"] }) })
          assert.strictEqual(
            (yield* Effect.flip(lender.submit(aSubmission("00"))))._tag,
            "LenderUnavailable",
            String(status)
          )
        }
      }),
      { breaker: { failures: 1_000, openFor: "1 minute" } }
    ))

  it.live("a submission that was INVALID succeeds with corrected data and the same key", () =>
    overHttp(Effect.fnUntraced(function*({ contracts }) {
      const lender = yield* Lender
      const submission = aSubmission("72")
      const failure = yield* Effect.flip(lender.submit(submission))
      assert.deepInclude(failure, { fields: [{ field: "address.number", code: "NUMBER_NOT_FOUND" }] })
      const address = { ...submission.kyc.address!, number: "S/N" }
      yield* lender.submit({ ...submission, kyc: { ...submission.kyc, address } })
      assert.lengthOf(contracts(), 1)
    })))

  it.live("cancels by reference and by proposal, refunds, and creates signature links", () =>
    overHttp(
      Effect.fnUntraced(function*({ calls }) {
        const lender = yield* Lender
        const now = timestampOf(Date.now())
        const proposal_id = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f60" as ProposalId
        const cancellation = { proposal_id, reference: null, reason, requested_at: now } as const
        const made = yield* lender.submit({ ...aSubmission("00"), proposal_id, accepted_at: now })
        const { reference } = made
        yield* Effect.sleep("2 millis")
        const renewed = yield* lender.signatureLink(reference)
        assert.strictEqual(renewed.reference, reference)
        assert.notStrictEqual(renewed.signature_url, made.signature_url)
        const cancelled = yield* lender.cancel(cancellation)
        assert.deepInclude(cancelled, { reference, status: "CANCELLED" })
        assert.deepStrictEqual(yield* lender.cancel({ ...cancellation, reference }), cancelled)
        assert.deepStrictEqual(yield* lender.contract(reference), cancelled)

        const other = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f61" as ProposalId
        assert.isNull(yield* lender.cancel({ ...cancellation, proposal_id: other }))
        const late = yield* Effect.flip(lender.submit({ ...aSubmission("00"), proposal_id: other }))
        assert.strictEqual(late._tag, "LenderUnavailable", "none will be created")

        const third = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f62" as ProposalId
        const paid = yield* lender.submit({ ...aSubmission("00"), proposal_id: third, accepted_at: timestampOf(0) })
        assert.strictEqual(paid.paid?.amount, aSubmission("00").offer.terms.net_amount)
        const request = { proposal_id: third, reference: paid.reference, reason, requested_at: now } as const
        const refund = yield* lender.refund(request)
        assert.strictEqual(refund.status, "REFUND_PENDING")
        assert.strictEqual(refund.refund?.amount, paid.paid?.amount)
        assert.deepStrictEqual(yield* lender.refund(request), refund)
        assert.strictEqual(calls.at(-1)?.headers["idempotency-key"], `${third}/${now}`)
      }),
      { stepMs: 60_000 }
    ))

  it.live("405 and 501 mean that the lender does not offer an exit; an answer about another contract is refused", () =>
    overHttp(
      Effect.fnUntraced(function*({ injectFaults }) {
        const lender = yield* Lender
        yield* lender.exits
        const { proposal_id } = aSubmission("00")
        const request = { proposal_id, reference: "lender/1", reason, requested_at } as const
        const exits = [lender.cancel(request), lender.refund(request), lender.signatureLink("lender/1")]
        const v2 = { ...json, "lastro-lender-protocol": "2" }
        const contract = { reference: "lender/2", status: "PAID", disbursement_attempt: 1 }
        for (const [index, exit] of exits.entries()) {
          for (const status of [405, 501]) {
            injectFaults({ status, headers: v2 })
            assert.strictEqual((yield* Effect.flip(exit))._tag, "LenderUnsupported")
          }
          injectFaults({ status: 200, headers: v2, body: JSON.stringify(index === 0 ? { contract } : contract) })
          const failure = yield* Effect.flip(exit)
          assert.include(failure._tag === "LenderUnavailable" ? failure.detail : "", "about another contract")
        }
      }),
      { breaker: { failures: 1_000, openFor: "1 minute" } }
    ))

  it.live("409 and 422 mean that the lender refuses an exit for good; the log has at most a code of the body", () =>
    overHttp(
      Effect.fnUntraced(function*({ injectFaults }) {
        const lender = yield* Lender
        yield* lender.exits
        const { proposal_id } = aSubmission("00")
        const request = { proposal_id, reference: "lender/1", reason, requested_at } as const
        const exits = {
          cancel: lender.cancel(request),
          refund: lender.refund(request),
          signatureLink: lender.signatureLink("lender/1")
        }
        const v2 = { ...json, "lastro-lender-protocol": "2" }
        for (const [operation, exit] of Object.entries(exits)) {
          for (
            const [status, body, detail] of [
              [409, "{\"code\":\"ALREADY_SIGNED\",\"message\":\"529.982.247-25\"}", "status 409 ALREADY_SIGNED"],
              [422, "{\"code\":\"529.982.247-25\"}", "status 422"],
              [409, "<html>", "status 409"]
            ] as const
          ) {
            injectFaults({ status, headers: v2, body })
            assert.deepInclude(yield* Effect.flip(exit), { _tag: "ExitRefused", detail: `${operation}: ${detail}` })
          }
          for (const status of [400, 404, 500]) {
            injectFaults({ status, headers: v2 })
            assert.deepInclude(yield* Effect.flip(exit), { _tag: "LenderUnavailable", reason: "ASKED" })
          }
        }
      }),
      { breaker: { failures: 1_000, openFor: "1 minute" } }
    ))

  it.live("400 and 422 refuse the new destination of a payment, in both versions: the payment failed again", () =>
    Effect.forEach([1, 2] as const, (version) =>
      overHttp(
        Effect.fnUntraced(function*({ injectFaults }) {
          const lender = yield* Lender
          const resubmission = aResubmission("lender/1", { disbursement_attempt: 3 })
          for (const status of [400, 422]) {
            injectFaults({ status, headers: json, body: "{\"message\":\"529.982.247-25\"}" })
            assert.deepStrictEqual(yield* lender.resubmit(resubmission), {
              reference: "lender/1",
              status: "DISBURSEMENT_FAILED",
              signature_url: null,
              rejection: null,
              disbursement_attempt: 3
            })
          }
          injectFaults({ status: 409 })
          assert.deepInclude(yield* Effect.flip(lender.resubmit(resubmission)), { _tag: "LenderUnavailable" })
        }),
        { version, breaker: { failures: 1, openFor: "1 minute" } }
      )))
})
