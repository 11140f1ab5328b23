import { assert, describe, it } from "@effect/vitest"
import { type Customer } from "@lastro/domain/kyc"
import { OfferNotAvailable } from "@lastro/domain/loan"
import { type ProposalId } from "@lastro/domain/values"
import { aCompleteKyc, exampleBank, ScriptedLender, storeForest, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { encodeRefusal } from "../../src/errors/encodeRefusal.ts"
import { at, codeOf, problemsOf } from "../client.ts"
import { withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf, poll, type Voice } from "../origination.ts"

const unknown = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"

/** Arranges an application that was quoted, with the ids of its offers. */
const givenQuoted = Effect.fnUntraced(function*(
  voice: Voice,
  { customer: known = {}, fields = {}, withKyc = true }: {
    readonly customer?: Partial<Customer>
    readonly fields?: object
    readonly withKyc?: boolean
  } = {}
) {
  const { customer, id, kyc } = yield* givenOpened(voice, { ...fields, customer: known })
  yield* finish
  if (withKyc) yield* voice.submit(id, kyc)
  const offers = offersOf(yield* voice.read(id))
  const [offer = "", other = ""] = offers
  return { id, kyc, customer, offers, offer, other }
})

const submissions = Effect.gen(function*() {
  yield* finish
  return (yield* (yield* ScriptedLender).calls).filter(({ _tag }) => _tag === "Submit").length
})

describe("accepting an offer", () => {
  it.effect("answers the id of the new proposal, which can be read", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id, offer } = yield* givenQuoted(voice)
      const accepted = yield* voice.accept(id, offer.toUpperCase(), {
        terms_accepted: true,
        accepted_at: "2026-01-31T09:05:00-03:00",
        ip: "2001:db8::1",
        user_agent: "Mozilla/5.0"
      })
      const proposal = String(at(accepted, "proposal_id"))
      assert.deepStrictEqual([accepted.status, accepted.body], [202, {
        application_id: id,
        offer_id: offer,
        proposal_id: proposal,
        status: "CONTRACTING",
        next_action: "WAIT"
      }])
      assert.isNull(accepted.headers.get("etag"))
      const read = yield* voice.read(id)
      assert.deepStrictEqual([at(read, "status"), at(read, "proposal_id")], ["CONTRACTING", proposal])
      const detail = yield* voice.proposal(proposal)
      assert.deepStrictEqual([at(detail, "data", "offer_id"), at(detail, "data", "status")], [offer, "SUBMITTING"])
    })))

  it.effect("FGTS-47 T35 refuses the same annual withdrawals of a CPF twice in one tree, in two languages", () =>
    withServer(Effect.gen(function*() {
      const [root, left, right] = yield* storeForest([null, 0, 0])
      const voice = yield* givenVoice(root)
      const { customer, id, offer } = yield* givenQuoted(voice, { fields: { partner_id: left.partner_id } })
      const again = yield* givenQuoted(voice, { customer, fields: { partner_id: right.partner_id } })
      assert.strictEqual((yield* voice.accept(id, offer)).status, 202)
      yield* finish
      // The missing fields come first, so that a caller with nothing but a CPF does not learn of the other contract.
      const incomplete = yield* givenQuoted(voice, {
        customer,
        fields: { partner_id: right.partner_id },
        withKyc: false
      })
      const refusedFirst = yield* voice.accept(incomplete.id, incomplete.offer)
      assert.deepStrictEqual([refusedFirst.status, codeOf(refusedFirst)], [409, "KYC_INCOMPLETE"])
      yield* voice.submit(incomplete.id, incomplete.kyc)
      const refusedThen = yield* voice.accept(incomplete.id, incomplete.offer)
      assert.deepStrictEqual([refusedThen.status, codeOf(refusedThen)], [409, "OFFER_NOT_AVAILABLE"])
      for (
        const [language, message] of [
          [
            "en",
            "Another contract of this customer pledges the next annual withdrawal, or one of the withdrawals of this offer."
          ],
          ["pt-BR", "Outro contrato deste cliente compromete o próximo saque anual, ou um dos saques desta oferta."]
        ] as const
      ) {
        const refused = yield* voice.accept(again.id, again.offer, undefined, {
          headers: { "accept-language": language }
        })
        assert.deepStrictEqual([refused.status, codeOf(refused), ...problemsOf(refused)], [
          409,
          "OFFER_NOT_AVAILABLE",
          "offer_id EXISTING_CONTRACT"
        ])
        assert.include(refused.text, message)
      }
      // A sibling gets the response for an offer that is no longer lawful.
      const sibling = yield* givenVoice(right)
      assert.isNull(at(yield* sibling.read(again.id), "quote", "blocked_until"))
      const hidden = yield* sibling.accept(again.id, again.offer)
      const unlawful = encodeRefusal(
        new OfferNotAvailable({ reason: "POLICY_CHANGED" }),
        "en",
        String(at(hidden, "error", "request_id"))
      )
      assert.deepStrictEqual([hidden.status, hidden.body], [409, unlawful.body])
      // The same person in another tree is another business.
      const stranger = yield* givenVoice(yield* storeRootPartner())
      const elsewhere = yield* givenQuoted(stranger, { customer })
      assert.strictEqual((yield* stranger.accept(elsewhere.id, elsewhere.offer)).status, 202)
    })))

  it.effect("answers NOT_FOUND for an offer of another application, before every other error", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const [one, two] = [yield* givenQuoted(voice), yield* givenQuoted(voice)]
      const headers = { "idempotency-key": "a b" }
      for (const offer of [two.offer, unknown, "nonsense", one.id]) {
        assert.strictEqual(codeOf(yield* voice.accept(one.id, offer, { terms_accepted: 1 }, { headers })), "NOT_FOUND")
      }
      const stranger = yield* givenVoice(yield* storeRootPartner())
      for (const offer of [one.offer, two.offer, unknown, "nonsense"]) {
        const refused = yield* stranger.accept(one.id, offer)
        assert.deepStrictEqual(
          [refused.status, codeOf(refused)],
          [403, "OUTSIDE_HIERARCHY"],
          "the application comes first"
        )
        assert.strictEqual(codeOf(yield* stranger.accept(unknown, offer)), "NOT_FOUND")
      }
    })))

  it.effect("requires accepted terms and rejects unknown fields: 422 before 409", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id, offer, other } = yield* givenQuoted(voice)
      const bodies: ReadonlyArray<readonly [body: unknown, ...problems: ReadonlyArray<string>]> = [
        [{}, "terms_accepted REQUIRED"],
        [{ terms_accepted: false }, "terms_accepted UNKNOWN_VALUE"],
        [{ terms_accepted: "true" }, "terms_accepted INVALID_TYPE"],
        [{ terms_accepted: null }, "terms_accepted REQUIRED"],
        [[], " INVALID_TYPE"],
        [null, " NOT_NULLABLE"],
        [{ terms_accepted: true, accepted_at: "2026-01-31T12:05:00.001Z" }, "accepted_at OUT_OF_RANGE"],
        [{ terms_accepted: true, accepted_at: "2026-01-31T11:54:59.999Z" }, "accepted_at OUT_OF_RANGE"],
        [{ terms_accepted: true, ip: "fe80::1%eth0" }, "ip INVALID_FORMAT"],
        [
          { accepted_at: "today", ip: "", user_agent: "a\u0000", offer_id: offer, terms_accepted: true },
          "accepted_at INVALID_FORMAT",
          "ip INVALID_FORMAT",
          "offer_id UNKNOWN_FIELD",
          "user_agent INVALID_FORMAT"
        ]
      ]
      for (const [body, ...problems] of bodies) {
        const refused = yield* voice.accept(id, offer, body)
        assert.deepStrictEqual([refused.status, ...problemsOf(refused)], [422, ...problems], JSON.stringify(body))
      }
      assert.strictEqual((yield* voice.accept(id, offer)).status, 202)
      assert.strictEqual(codeOf(yield* voice.accept(id, other, {})), "VALIDATION_FAILED")
    })))

  it.effect("T40 an offer of an older quote is refused as soon as another quote is requested", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id, offers } = yield* givenQuoted(voice)
      yield* voice.requote(id)
      for (const quoted of [false, true]) {
        if (quoted) yield* finish
        for (const offer of offers) {
          const refused = yield* voice.accept(id, offer)
          assert.deepStrictEqual([refused.status, codeOf(refused), ...problemsOf(refused)], [
            409,
            "OFFER_NOT_AVAILABLE",
            "offer_id SUPERSEDED"
          ])
        }
      }
      const [newer = ""] = offersOf(yield* voice.read(id))
      assert.strictEqual((yield* voice.accept(id, newer)).status, 202)
    })))

  it.effect("T42 concurrent acceptances of all offers create one proposal and one contract", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id, offers } = yield* givenQuoted(voice)
      const attempts = Array.from({ length: 12 }, (_, index) => offers[index % offers.length] ?? "")
      const replies = yield* Effect.forEach(attempts, (offer) => voice.accept(id, offer), { concurrency: "unbounded" })
      const accepted = replies.filter(({ status }) => status === 202)
      assert.strictEqual(accepted.length, 12 / offers.length, "one offer, as often as it was asked for")
      assert.strictEqual(new Set(accepted.map(({ text }) => text)).size, 1, "the same answer each time")
      for (const refused of replies.filter(({ status }) => status !== 202)) {
        assert.deepStrictEqual([codeOf(refused), ...problemsOf(refused)], ["OFFER_NOT_AVAILABLE", "offer_id DECLINED"])
      }
      assert.strictEqual(at(yield* voice.proposals(), "page", "total_elements"), 1)
      assert.strictEqual(yield* submissions, 1)
      const again = yield* voice.accept(id, String(at(accepted[0]!, "offer_id")))
      assert.strictEqual(again.text, accepted[0]?.text, "also after the lender received the contract")
      assert.strictEqual(yield* submissions, 1)
    })))

  it.effect("T43 an offer is accepted before the instant of its expiry, and refused from it on", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const outcome = (id: string, offer: string) =>
        Effect.map(voice.accept(id, offer), (reply) => reply.status === 202 ? "accepted" : problemsOf(reply).join())
      const [before, due, after] = [yield* givenQuoted(voice), yield* givenQuoted(voice), yield* givenQuoted(voice)]
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(yield* outcome(due.id, due.offer), "offer_id EXPIRED")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* outcome(after.id, after.offer), "offer_id EXPIRED")
      yield* TestClock.adjust("-2 millis")
      assert.strictEqual(yield* outcome(before.id, before.offer), "accepted")
    })))

  it.effect("T44 requires a complete KYC and names the missing fields", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id, kyc, offer } = yield* givenQuoted(voice, { withKyc: false })
      const missing = Effect.gen(function*() {
        const refused = yield* voice.accept(id, offer)
        assert.deepStrictEqual([refused.status, codeOf(refused)], [409, "KYC_INCOMPLETE"])
        const named = at(yield* voice.kyc(id), "missing_fields") as ReadonlyArray<string>
        assert.deepStrictEqual(problemsOf(refused), named.map((field) => `${field} REQUIRED`).toSorted())
        return named.length
      })
      const all = yield* missing
      const { address, mother_name, ...most } = kyc
      yield* voice.submit(id, { ...most, address: { ...address, zipcode: null } })
      assert.strictEqual(yield* missing, 2)
      assert.isAbove(all, 20)
      assert.strictEqual((yield* voice.submit(id, { mother_name, name: null })).status, 200)
      assert.strictEqual(yield* missing, 2)
      yield* voice.submit(id, { name: kyc.name, address: { zipcode: "01310-100" } })
      assert.strictEqual((yield* voice.accept(id, offer)).status, 202)
    })))

  it.effect("T45 locks the KYC including the disbursement, and the accepted terms do not change", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id, kyc, offer } = yield* givenQuoted(voice)
      const accepted = yield* voice.accept(id, offer)
      const proposal = String(at(accepted, "proposal_id"))
      const before = yield* voice.proposal(proposal)
      const stranger = { type: "EMAIL", key: "stranger@example.com" }
      for (const body of [{ pix: stranger }, { name: "Bia Souza" }, { ...kyc, pix: stranger }, {}, kyc]) {
        const refused = yield* voice.submit(id, body)
        assert.strictEqual(codeOf(refused), "KYC_LOCKED", JSON.stringify(body))
        assert.deepStrictEqual(problemsOf(refused), [])
      }
      assert.strictEqual((yield* voice.submit(id, { pix: { type: "EMAIL", key: "nobody" } })).status, 422)
      assert.deepStrictEqual((yield* voice.kyc(id)).body, {
        ...kyc,
        complete: true,
        missing_fields: [],
        status: "LOCKED",
        prefilled_fields: [],
        next_action: "WAIT"
      })
      assert.strictEqual((yield* voice.proposal(proposal)).text, before.text)
    })))

  it.effect("T45 after a failed payment the disbursement can change, which requests another payment", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const lender = yield* ScriptedLender
      const { customer, id, kyc, offer } = yield* givenQuoted(voice)
      const proposal = at(yield* voice.accept(id, offer), "proposal_id") as ProposalId
      yield* finish
      const fails = Effect.gen(function*() {
        yield* lender.moveContract(proposal, "DISBURSEMENT_FAILED")
        yield* TestClock.adjust("1 hour")
        yield* poll
      })
      yield* fails
      assert.deepInclude(Object(at(yield* voice.read(id), "rejection")), {
        kind: "CUSTOMER_ACTION",
        code: "DISBURSEMENT_FAILED",
        retryable: true
      })
      const locked = yield* voice.submit(id, { pix: { key: customer.cpf }, name: "Bia" })
      assert.deepStrictEqual([codeOf(locked), problemsOf(locked)], ["KYC_LOCKED", ["name IMMUTABLE"]])
      const half = yield* voice.submit(id, { disbursement_method: "BANK_TRANSFER", bank: { bank_code: "341" } })
      assert.strictEqual(codeOf(half), "KYC_INCOMPLETE")
      assert.include(problemsOf(half), "bank.account_number REQUIRED")
      assert.strictEqual((yield* voice.submit(id, { name: kyc.name })).status, 200, "changes nothing")
      assert.strictEqual(at(yield* voice.status(id), "next_action"), "FIX_DISBURSEMENT")
      const fixed = yield* voice.submit(id, { disbursement_method: "BANK_TRANSFER", bank: exampleBank })
      assert.deepStrictEqual([fixed.status, at(fixed, "status")], [200, "LOCKED"])
      assert.strictEqual(at(yield* voice.status(id), "next_action"), "WAIT")
      yield* finish
      const detail = yield* voice.proposal(proposal)
      assert.deepStrictEqual([at(detail, "data", "status"), at(detail, "data", "disbursement")], ["DISBURSING", {
        method: "BANK_TRANSFER",
        pix_key_type: null,
        pix_key: null,
        bank_code: "341",
        account_type: "CC",
        agency: "1234",
        agency_digit: null,
        account_number: "****2345",
        account_digit: "*"
      }])
      const [contract] = yield* lender.contracts
      assert.deepStrictEqual(contract?.payments.map(({ method }) => method), ["PIX", "BANK_TRANSFER"])
      yield* fails
      assert.strictEqual(
        (yield* voice.submit(id, aCompleteKyc().for(customer).build())).status,
        200,
        "the same KYC again"
      )
      yield* finish
      assert.strictEqual((yield* lender.contracts)[0]?.payments.length, 3)
    })))
})
