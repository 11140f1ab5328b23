import { assert, describe, it } from "@effect/vitest"
import { noExits } from "@lastro/domain/loan"
import { centavos, type Timestamp, timestampOf } from "@lastro/domain/values"
import { ScriptedLender } from "@lastro/testkit"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenVoice } from "../origination.ts"
import { givenAccepted, givenContract, givenQuoted, poll } from "./givenContract.ts"

const data = (reply: Reply, ...names: ReadonlyArray<string>) => names.map((name) => at(reply, "data", name))

const statusesOf = (reply: Reply) =>
  (at(reply, "data", "status_history") as ReadonlyArray<{ readonly status: string }>).map(({ status }) => status)

const payment = (instant: string) => ({
  paid: { amount: centavos(500_00), at: instant as Timestamp, end_to_end_id: "E1" }
})

/** Asks a refused operation in both languages, and checks the code and the messages. */
const assertRefused = Effect.fnUntraced(function*<R>(
  ask: (headers: Readonly<Record<string, string>>) => Effect.Effect<Reply, never, R>,
  code: string,
  messages: Readonly<Record<string, RegExp>>
) {
  for (const [language, message] of Object.entries(messages)) {
    const reply = yield* ask({ "accept-language": language })
    assert.deepStrictEqual([reply.status, codeOf(reply)], [409, code], language)
    assert.match(String(at(reply, "error", "message")), message)
  }
})

describe("withdrawFromProposal", () => {
  it.effect("FGTS-32 PAID becomes REFUND_PENDING with the PIX code, then REFUNDED", () =>
    withServer(Effect.gen(function*() {
      const { id, proposal, voice } = yield* givenContract("PAID", payment("2026-01-31T12:00:00.000Z"))
      assert.deepStrictEqual(data(yield* voice.proposal(proposal), "status", "paid", "refund"), [
        "PAID",
        { amount: 500, at: "2026-01-31T12:00:00.000Z", end_to_end_id: "E1" },
        null
      ])
      const reply = yield* voice.withdraw(proposal)
      assert.deepStrictEqual([reply.status, ...data(reply, "status", "refund")], [202, "REFUND_PENDING", null])
      const read = yield* voice.proposal(proposal)
      assert.deepStrictEqual([read.text, read.headers.get("etag")], [reply.text, reply.headers.get("etag")])
      yield* finish
      const refund = Object(at(yield* voice.proposal(proposal), "data", "refund"))
      assert.strictEqual(refund.amount, 500)
      assert.match(refund.pix_copy_paste, /^pix-/)
      assert.deepInclude(Object((yield* voice.status(id)).body), { status: "REFUNDING", next_action: "WAIT" })
      yield* (yield* ScriptedLender).moveContract(proposal, "REFUNDED")
      yield* poll
      assert.deepStrictEqual(data(yield* voice.proposal(proposal), "status", "refund"), ["REFUNDED", null])
      assert.deepStrictEqual(at(yield* voice.read(id), "status"), "CANCELLED")
      assert.deepStrictEqual(codeOf(yield* voice.withdraw(proposal)), "PROPOSAL_NOT_WITHDRAWABLE")
    })))

  it.effect("PROP-09 is possible until the end of the seventh São Paulo day, and not on the eighth", () =>
    withServer(Effect.gen(function*() {
      // 23:30 on 31 January in São Paulo. The seventh day ends at 03:00Z on 8 February.
      for (const [end, status] of [["2026-02-08T02:59:59Z", 202], ["2026-02-08T03:00:00Z", 409]] as const) {
        yield* TestClock.setTime(Date.parse("2026-01-31T23:00:00Z"))
        const { proposal, voice } = yield* givenContract("PAID", payment("2026-02-01T02:30:00.000Z"))
        yield* TestClock.setTime(Date.parse(end))
        assert.strictEqual((yield* voice.withdraw(proposal)).status, status, end)
        if (status === 409) {
          yield* assertRefused(
            (headers) => voice.withdraw(proposal, undefined, { headers }),
            "PROPOSAL_NOT_WITHDRAWABLE",
            {
              en: /until the seventh day .* Ask the lender/,
              "pt-BR": /até o sétimo dia .* Pergunte à instituição/
            }
          )
        }
      }
    })))

  it.effect("a second withdrawal is refused, and an idempotency key repeats the response of the first", () =>
    withServer(Effect.gen(function*() {
      const { proposal, voice } = yield* givenContract("PAID")
      const headers = { "idempotency-key": "regret-1" }
      const first = yield* voice.withdraw(proposal, undefined, { headers })
      yield* finish
      const again = yield* voice.withdraw(proposal, undefined, { headers })
      assert.deepStrictEqual([again.status, again.text], [202, first.text])
      const second = yield* voice.withdraw(proposal)
      assert.deepStrictEqual([second.status, codeOf(second)], [409, "PROPOSAL_NOT_WITHDRAWABLE"])
      const calls = yield* (yield* ScriptedLender).calls
      assert.lengthOf(calls.filter(({ _tag }) => _tag === "Refund"), 1)
    })))

  it.effect("before the payment, and at a lender without refunds: 409 with a message that says how to proceed", () =>
    withServer(Effect.gen(function*() {
      const { proposal, voice } = yield* givenContract("AWAITING_SIGNATURE")
      const ask = (headers: Readonly<Record<string, string>>) => voice.withdraw(proposal, undefined, { headers })
      yield* assertRefused(ask, "PROPOSAL_NOT_WITHDRAWABLE", {
        en: /cancel the application/,
        "pt-BR": /cancele a solicitação/
      })
      const lender = yield* ScriptedLender
      yield* lender.moveContract(proposal, "PAID")
      yield* poll
      yield* lender.setExits(noExits)
      yield* assertRefused(ask, "PROPOSAL_NOT_WITHDRAWABLE", {
        en: /Ask the lender to refund/,
        "pt-BR": /Peça a devolução à instituição/
      })
    })))

  it.effect("a refund that is not paid in time brings the contract back to PAID", () =>
    withServer(Effect.gen(function*() {
      const { id, proposal, voice } = yield* givenContract("PAID")
      yield* voice.withdraw(proposal, { reason: "OTHER" })
      yield* finish
      yield* (yield* ScriptedLender).moveContract(proposal, "PAID")
      yield* poll
      assert.strictEqual(at(yield* voice.status(id), "status"), "CONTRACTED")
      assert.deepStrictEqual(statusesOf(yield* voice.proposal(proposal)).slice(-3), ["PAID", "REFUND_PENDING", "PAID"])
      const { problems, status } = yield* Effect.map(voice.withdraw(proposal, { reason: "DUPLICATE" }), (reply) => ({
        status: reply.status,
        problems: problemsOf(reply)
      }))
      assert.deepStrictEqual([status, ...problems], [422, "reason UNKNOWN_VALUE"])
      assert.strictEqual((yield* voice.withdraw(proposal)).status, 202)
    })))
})

describe("renewSignatureLink", () => {
  it.effect("FGTS-33 replaces the link while the signature is pending, and is refused otherwise", () =>
    withServer(Effect.gen(function*() {
      const { proposal, voice } = yield* givenAccepted
      const unsubmitted = yield* voice.link(proposal)
      assert.deepStrictEqual([unsubmitted.status, codeOf(unsubmitted)], [409, "SIGNATURE_NOT_PENDING"])
      yield* finish
      const [link] = data(yield* voice.proposal(proposal), "signature_url")
      assert.isString(link)
      const headers = { "idempotency-key": "link-1" }
      const reply = yield* voice.link(proposal, { headers })
      assert.deepStrictEqual([reply.status, ...data(reply, "status")], [202, "AWAITING_SIGNATURE"])
      assert.strictEqual((yield* voice.link(proposal)).status, 202, "while the request is open")
      assert.strictEqual((yield* voice.link(proposal, { json: {} })).status, 202, "with an empty object as body")
      const named = yield* voice.link(proposal, { json: { note: "x" } })
      assert.deepStrictEqual([named.status, ...problemsOf(named)], [422, "note UNKNOWN_FIELD"])
      for (const json of [[], "x", 5, false]) {
        assert.strictEqual((yield* voice.link(proposal, { json })).status, 422, JSON.stringify(json))
      }
      yield* finish
      assert.deepStrictEqual(data(yield* voice.proposal(proposal), "signature_url"), [`${String(link)}#2`])
      assert.strictEqual((yield* voice.link(proposal, { headers })).text, reply.text)
      const lender = yield* ScriptedLender
      assert.lengthOf((yield* lender.calls).filter(({ _tag }) => _tag === "SignatureLink"), 1)
      yield* lender.setExits(noExits)
      yield* assertRefused((headers) => voice.link(proposal, { headers }), "SIGNATURE_NOT_PENDING", {
        en: /Use the present link/,
        "pt-BR": /Use o link atual/
      })
      yield* lender.setExits(null)
      yield* lender.moveContract(proposal, "GUARANTEE_PENDING")
      yield* poll
      const signed = yield* voice.proposal(proposal)
      assert.deepStrictEqual(data(signed, "status", "signature_url"), ["GUARANTEE_PENDING", null])
      assert.strictEqual(codeOf(yield* voice.link(proposal)), "SIGNATURE_NOT_PENDING")
      assert.notInclude(signed.text, String(link))
    })))
})

describe("refused data", () => {
  it.effect("FGTS-28 FGTS-34 CORRECTION_NEEDED unlocks exactly the refused field, and the contract goes on", () =>
    withServer(Effect.gen(function*() {
      const lender = yield* ScriptedLender
      yield* lender.setActions({ invalid: [{ field: "address.zipcode", code: "INVALID_FORMAT" }] }, "done")
      const { id, proposal, voice } = yield* givenAccepted
      yield* finish
      assert.deepStrictEqual(data(yield* voice.proposal(proposal), "status"), ["CORRECTION_NEEDED"])
      const status = yield* voice.status(id)
      assert.deepInclude(Object(status.body), { status: "CONTRACTING", next_action: "FIX_KYC", kyc_complete: false })
      assert.isNull(status.headers.get("retry-after"))
      const kyc = yield* voice.kyc(id)
      assert.deepStrictEqual(at(kyc, "missing_fields"), ["address.zipcode"])
      const locked = [
        [{ phone: "11912345678" }, ["phone"]],
        [{ address: { number: "7", zipcode: "01310-200" } }, ["address.number"]],
        [{ name: "Outra Pessoa", address: { street: "Rua Nova" } }, ["address.street", "name"]]
      ] as const
      for (const [other, fields] of locked) {
        const refused = yield* voice.submit(id, other)
        assert.strictEqual(codeOf(refused), "KYC_LOCKED")
        assert.deepStrictEqual(problemsOf(refused), fields.map((field) => `${field} IMMUTABLE`))
      }
      const fixed = yield* voice.submit(id, { address: { zipcode: "01310-200" } })
      assert.deepStrictEqual([fixed.status, at(fixed, "missing_fields")], [200, []])
      assert.deepInclude(Object((yield* voice.status(id)).body), { next_action: "WAIT", kyc_complete: true })
      yield* finish
      const read = yield* voice.proposal(proposal)
      assert.deepStrictEqual(statusesOf(read), [
        "SUBMITTING",
        "CORRECTION_NEEDED",
        "SUBMITTING",
        "AWAITING_SIGNATURE"
      ])
      assert.strictEqual(codeOf(yield* voice.submit(id, { address: { zipcode: "01310-300" } })), "KYC_LOCKED")
      assert.lengthOf(yield* lender.contracts, 1)
    })))

  it.effect("FGTS-34 without named fields, every field but the identity can change, and a change submits again", () =>
    withServer(Effect.gen(function*() {
      yield* (yield* ScriptedLender).setActions({ invalid: [] }, "done")
      const { id, voice } = yield* givenAccepted
      yield* finish
      assert.deepInclude(Object((yield* voice.status(id)).body), { next_action: "FIX_KYC", kyc_complete: true })
      assert.deepStrictEqual(at(yield* voice.kyc(id), "missing_fields"), [])
      assert.strictEqual(codeOf(yield* voice.submit(id, { name: "Outra Pessoa" })), "KYC_LOCKED")
      assert.strictEqual((yield* voice.submit(id, { phone: "11912345678" })).status, 200)
      yield* finish
      assert.strictEqual(at(yield* voice.status(id), "next_action"), "SIGN")
    })))
})

describe("contracts of a customer", () => {
  it.effect("FGTS-46 a second contract for the same annual withdrawals is refused, with the reason in the details", () =>
    withServer(Effect.gen(function*() {
      const { customer, proposal, root } = yield* givenContract("PAID")
      const voice = yield* givenVoice(root)
      const other = yield* givenQuoted(voice, { customer })
      assert.strictEqual(at(yield* voice.status(other.id), "next_action"), "WAIT_FOR_SETTLEMENT")
      assert.match(String(at(yield* voice.read(other.id), "quote", "blocked_until")), /^\d{4}-\d{2}-\d{2}$/)
      const messages = { en: /Another contract of this customer/, "pt-BR": /Outro contrato deste cliente/ }
      for (const [language, message] of Object.entries(messages)) {
        const reply = yield* voice.accept(other.id, other.offer, undefined, {
          headers: { "accept-language": language }
        })
        assert.deepStrictEqual([reply.status, codeOf(reply), ...problemsOf(reply)], [
          409,
          "OFFER_NOT_AVAILABLE",
          "offer_id EXISTING_CONTRACT"
        ])
        assert.match(String(at(reply, "error", "details", 0, "message")), message)
        assert.notInclude(reply.text, proposal)
      }
      // A reversed contract pledges nothing.
      yield* (yield* ScriptedLender).moveContract(proposal, "CANCELLED")
      yield* poll
      assert.strictEqual((yield* voice.accept(other.id, other.offer)).status, 202)
    })))

  it.effect("PROP-13 FGTS-37 a reversal after the payment is visible", () =>
    withServer(Effect.gen(function*() {
      const { id, proposal, voice } = yield* givenContract("PAID")
      const tag = String((yield* voice.proposal(proposal)).headers.get("etag"))
      yield* TestClock.adjust("6 days")
      yield* (yield* ScriptedLender).moveContract(proposal, "CANCELLED")
      yield* poll
      const read = yield* voice.proposal(proposal, { headers: { "if-none-match": tag } })
      assert.deepStrictEqual([read.status, ...data(read, "status")], [200, "REFUNDED"])
      assert.isNotNull(at(read, "data", "rejection"))
      assert.deepStrictEqual(statusesOf(read).slice(-2), ["PAID", "REFUNDED"])
      assert.strictEqual(at(yield* voice.read(id), "status"), "CANCELLED")
      assert.isNotNull(at(yield* voice.read(id), "rejection"))
    })))

  it.effect("PROP-17 FGTS-46 a settled contract shows when, stays CONTRACTED, is final and pledges nothing", () =>
    withServer(Effect.gen(function*() {
      const { customer, id, proposal, root } = yield* givenContract("PAID")
      const voice = yield* givenVoice(root)
      const lender = yield* ScriptedLender
      const settled_at = "2026-02-01T09:30:00.000Z" as Timestamp
      assert.isNull(at(yield* voice.proposal(proposal), "data", "settled_at"))
      yield* lender.moveContract(proposal, "SETTLED", { settled_at })
      yield* poll
      const read = yield* voice.proposal(proposal)
      assert.deepStrictEqual(data(read, "status", "settled_at", "rejection"), ["SETTLED", settled_at, null])
      assert.deepStrictEqual(statusesOf(read).slice(-2), ["PAID", "SETTLED"])
      assert.deepInclude(Object((yield* voice.status(id)).body), { status: "CONTRACTED", next_action: "NONE" })
      assert.strictEqual(codeOf(yield* voice.withdraw(proposal)), "PROPOSAL_NOT_WITHDRAWABLE")
      assert.strictEqual(codeOf(yield* voice.cancel(id)), "APPLICATION_NOT_CANCELLABLE")
      const tag = String(read.headers.get("etag"))
      yield* lender.moveContract(proposal, "REFUNDED")
      yield* poll
      assert.strictEqual((yield* voice.proposal(proposal, { headers: { "if-none-match": tag } })).status, 304)
      const listed = yield* voice.proposals("?status=SETTLED")
      assert.deepStrictEqual([at(listed, "content", 0, "status"), at(listed, "content", 0, "settled_at")], [
        "SETTLED",
        settled_at
      ])
      const other = yield* givenQuoted(voice, { customer })
      assert.strictEqual((yield* voice.accept(other.id, other.offer)).status, 202)
    })))

  it.effect("a proposal shows the lender's reference, its table and the evidence with a masked address", () =>
    withServer(Effect.gen(function*() {
      const { proposal, voice } = yield* givenContract("AWAITING_SIGNATURE")
      const now = timestampOf((yield* Clock.currentTimeMillis) - 1_000)
      const read = yield* voice.proposal(proposal)
      assert.deepStrictEqual(data(read, "reference", "acceptance"), [
        `scripted-${proposal}`,
        { accepted_at: now, ip: "200.1.*.*", user_agent: "Mozilla/5.0" }
      ])
      assert.match(String(at(read, "data", "table", "code")), /^[AB]$/)
      assert.notInclude(read.text, "200.1.2.3")
    })))
})
