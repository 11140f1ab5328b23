import { assert, describe, it } from "@effect/vitest"
import { noExits } from "@lastro/domain/loan"
import { type Busy } from "@lastro/domain/ports"
import { MemoryDatabase, refusing, ScriptedLender, silent, storeRootPartner } from "@lastro/testkit"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { type Ports, withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, type Voice } from "../origination.ts"
import { givenAccepted, givenContract, givenQuoted, poll } from "./givenContract.ts"

interface Reached {
  readonly voice: Voice
  readonly id: string
}

const givenUser = Effect.flatMap(storeRootPartner(), (root) => givenVoice(root))

const opened = Effect.gen(function*() {
  const voice = yield* givenUser
  return { voice, id: (yield* givenOpened(voice)).id }
})

const answered = (answer: Parameters<typeof ScriptedLender["Service"]["setQuoteAnswers"]>[0]) =>
  Effect.gen(function*() {
    yield* (yield* ScriptedLender).setQuoteAnswers(answer)
    const reached = yield* opened
    const work = yield* Effect.forkChild(finish, { startImmediately: true })
    yield* TestClock.adjust("10 minutes")
    yield* Fiber.join(work)
    return reached
  })

const quoted = Effect.gen(function*() {
  const voice = yield* givenUser
  return { voice, id: (yield* givenQuoted(voice)).id }
})

const cancelled = Effect.tap(givenContract("AWAITING_SIGNATURE"), ({ id, voice }) => voice.cancel(id))

interface State {
  readonly name: string
  readonly reach: Effect.Effect<Reached, Busy, Ports>
  /** The status of the application before the cancellation. */
  readonly before: string
  /** The answer: the status code, the status of the application or the code of the error, and the status of the proposal. */
  readonly answer: string
}

const refused = "409 APPLICATION_NOT_CANCELLABLE"

const states: ReadonlyArray<State> = [
  { name: "a quote is pending", reach: opened, before: "QUOTING", answer: "202 CANCELLED" },
  { name: "there are offers", reach: quoted, before: "QUOTED", answer: "202 CANCELLED" },
  {
    name: "the offers have expired",
    reach: Effect.tap(quoted, () => TestClock.adjust("24 hours")),
    before: "EXPIRED",
    answer: "202 CANCELLED"
  },
  { name: "the quote failed", reach: answered(silent()), before: "QUOTE_FAILED", answer: "202 CANCELLED" },
  { name: "the lender refused", reach: answered(refusing("NO_BALANCE")), before: "REJECTED", answer: "202 CANCELLED" },
  {
    name: "the lender was not asked for the contract yet",
    reach: givenAccepted,
    before: "CONTRACTING",
    answer: "202 CANCELLED CANCELLED"
  },
  {
    name: "the lender refused the data",
    reach: Effect.gen(function*() {
      yield* (yield* ScriptedLender).setActions({ invalid: [] })
      const accepted = yield* givenAccepted
      yield* finish
      return accepted
    }),
    before: "CONTRACTING",
    answer: "202 CANCELLED CANCELLED"
  },
  {
    name: "the signature is waited for",
    reach: givenContract("AWAITING_SIGNATURE"),
    before: "CONTRACTING",
    answer: "202 CONTRACTING CANCELLING"
  },
  {
    name: "the guarantee is waited for",
    reach: givenContract("GUARANTEE_PENDING"),
    before: "CONTRACTING",
    answer: "202 CONTRACTING CANCELLING"
  },
  {
    name: "the payment is on its way",
    reach: givenContract("DISBURSING"),
    before: "CONTRACTING",
    answer: "202 CONTRACTING CANCELLING"
  },
  {
    name: "the payment failed",
    reach: givenContract("DISBURSEMENT_FAILED"),
    before: "CONTRACTING",
    answer: "202 CONTRACTING CANCELLING"
  },
  {
    name: "the cancellation was requested",
    reach: cancelled,
    before: "CONTRACTING",
    answer: "202 CONTRACTING CANCELLING"
  },
  { name: "the customer was paid", reach: givenContract("PAID"), before: "CONTRACTED", answer: `${refused} PAID` },
  {
    name: "the customer has withdrawn",
    reach: Effect.tap(givenContract("PAID"), ({ proposal, voice }) => voice.withdraw(proposal)),
    before: "REFUNDING",
    answer: `${refused} REFUND_PENDING`
  },
  {
    name: "the application was cancelled before an acceptance",
    reach: Effect.tap(quoted, ({ id, voice }) => voice.cancel(id)),
    before: "CANCELLED",
    answer: refused
  },
  {
    name: "the lender has cancelled the contract",
    reach: Effect.tap(cancelled, () => finish),
    before: "CANCELLED",
    answer: `${refused} CANCELLED`
  },
  {
    name: "the lender rejected the contract",
    reach: givenContract("REJECTED"),
    before: "CANCELLED",
    answer: `${refused} REJECTED`
  }
]

const statusOf = Effect.fnUntraced(function*({ id, voice }: Reached) {
  return at(yield* voice.status(id), "status")
})

const proposalStatus = Effect.fnUntraced(function*({ id, voice }: Reached) {
  const proposal = at(yield* voice.read(id), "proposal_id")
  return typeof proposal === "string" ? at(yield* voice.proposal(proposal), "data", "status") : undefined
})

const outcomeOf = (reply: Reply, ...rest: ReadonlyArray<unknown>) =>
  [reply.status, codeOf(reply) ?? at(reply, "status"), ...rest].filter((one) => one !== undefined).join(" ")

const auditOf = (id: string) =>
  Effect.map(
    Effect.flatMap(MemoryDatabase, ({ state }) => state),
    ({ audit }) => audit.filter(({ action, subject_id }) => action === "application.cancel" && subject_id === id)
  )

describe("cancelApplication", () => {
  for (const { answer, before, name, reach } of states) {
    it.effect(`FGTS-31 ${name}: ${answer}`, () =>
      withServer(Effect.gen(function*() {
        const reached = yield* reach
        assert.strictEqual(yield* statusOf(reached), before)
        const { id, voice } = reached
        const reply = yield* voice.cancel(id)
        assert.strictEqual(outcomeOf(reply, yield* proposalStatus(reached)), answer)
        const read = yield* voice.read(id)
        if (reply.status === 202) {
          assert.deepStrictEqual(reply.body, read.body)
          assert.strictEqual(reply.headers.get("etag"), read.headers.get("etag"))
          // The lender is never asked for a contract, or confirms the cancellation.
          yield* finish
          assert.strictEqual(yield* statusOf(reached), "CANCELLED")
          assert.strictEqual(at(yield* voice.read(id), "rejection", "code"), "CUSTOMER_CANCELLED")
          const contracts = yield* (yield* ScriptedLender).contracts
          assert.deepStrictEqual(contracts.filter(({ contract }) => contract.status !== "CANCELLED"), [])
        }
      })))
  }

  it.effect("FGTS-29 declines the offers, and the reason decides the rejection", () =>
    withServer(Effect.gen(function*() {
      const codes = { CUSTOMER_REQUEST: "CUSTOMER_CANCELLED", DUPLICATE: "CANCELLED_BY_PARTNER" }
      for (const [reason, code] of Object.entries(codes)) {
        const { id, voice } = yield* quoted
        const reply = yield* voice.cancel(id, { reason })
        assert.deepStrictEqual([reply.status, at(reply, "rejection", "code")], [202, code])
        assert.deepInclude(Object(at(reply, "rejection")), { kind: "FINAL", retryable: false })
        const offers = at(reply, "quote", "offers") as ReadonlyArray<{ readonly status: string }>
        assert.deepStrictEqual([...new Set(offers.map(({ status }) => status))], ["DECLINED"])
        assert.strictEqual(codeOf(yield* voice.requote(id)), "APPLICATION_NOT_QUOTABLE")
        assert.strictEqual(codeOf(yield* voice.submit(id, { nationality: "Uruguaia" })), "KYC_LOCKED")
      }
    })))

  it.effect("a late quote result is dropped", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* opened
      const cancelled = yield* voice.cancel(id)
      yield* finish
      assert.deepStrictEqual((yield* voice.read(id)).body, cancelled.body)
    })))

  it.effect("a second cancellation answers 202 again until the lender confirms, and changes nothing", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* givenContract("AWAITING_SIGNATURE")
      const first = yield* voice.cancel(id)
      const second = yield* voice.cancel(id, { reason: "OTHER" })
      assert.deepStrictEqual([first.status, second.status], [202, 202])
      assert.deepStrictEqual([second.text, second.headers.get("etag")], [first.text, first.headers.get("etag")])
      assert.lengthOf(yield* auditOf(id), 1)
      yield* finish
      assert.strictEqual(at(yield* voice.read(id), "rejection", "code"), "CUSTOMER_CANCELLED")
      assert.strictEqual((yield* voice.cancel(id)).status, 409)
    })))

  it.effect("an idempotency key repeats the response, even after the cancellation was confirmed", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* givenContract("AWAITING_SIGNATURE")
      const headers = { "idempotency-key": "cancel-1" }
      const body = { reason: "DUPLICATE", note: "twice in the shop" }
      const first = yield* voice.cancel(id, body, { headers })
      yield* finish
      const again = yield* voice.cancel(id, body, { headers })
      assert.deepStrictEqual([again.status, again.text], [202, first.text])
      const other = yield* voice.cancel(id, { reason: "OTHER" }, { headers })
      assert.deepStrictEqual([other.status, codeOf(other)], [422, "IDEMPOTENCY_KEY_REUSED"])
      assert.lengthOf(yield* auditOf(id), 1)
    })))

  it.effect("the note is in the audit only", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* quoted
      const reply = yield* voice.cancel(id, { reason: "OTHER", note: "a note by phone" })
      assert.notInclude(reply.text, "a note by phone")
      const [entry] = yield* auditOf(id)
      assert.deepInclude(Object(entry?.after), {
        cancellation_reason: "OTHER",
        cancellation_note: "***"
      })
      const { applications } = yield* (yield* MemoryDatabase).state
      assert.notInclude(JSON.stringify([...applications.values()]), "a note by phone")
    })))

  it.effect("reports every invalid field", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* quoted
      const bodies: ReadonlyArray<readonly [body: unknown, ...problems: ReadonlyArray<string>]> = [
        [{}, "reason REQUIRED"],
        [{ reason: "LOST" }, "reason UNKNOWN_VALUE"],
        [{ reason: "OTHER", note: "x".repeat(501) }, "note TOO_LONG"],
        [{ reason: 1, note: 2, by: "x" }, "by UNKNOWN_FIELD", "note INVALID_TYPE", "reason INVALID_TYPE"]
      ]
      for (const [body, ...problems] of bodies) {
        const reply = yield* voice.cancel(id, body)
        assert.deepStrictEqual([reply.status, ...problemsOf(reply)], [422, ...problems])
      }
      assert.strictEqual((yield* voice.cancel(id, { reason: "OTHER", note: null })).status, 202)
    })))

  it.effect("FGTS-31 a lender that cannot cancel: 409 with a message that says how to proceed", () =>
    withServer(Effect.gen(function*() {
      const { id, voice } = yield* givenContract("AWAITING_SIGNATURE")
      yield* (yield* ScriptedLender).setExits(noExits)
      const messages = {
        en: /Ask the lender to cancel it/,
        "pt-BR": /Peça o cancelamento à instituição/
      }
      for (const [language, message] of Object.entries(messages)) {
        const reply = yield* voice.cancel(id, { reason: "OTHER" }, { headers: { "accept-language": language } })
        assert.strictEqual(outcomeOf(reply), refused)
        assert.match(String(at(reply, "error", "message")), message)
      }
    })))

  it.effect("PROP-11 a contract that was paid meanwhile is PAID", () =>
    withServer(Effect.gen(function*() {
      const reached = yield* givenContract("DISBURSING")
      const { id, proposal, voice } = reached
      yield* (yield* ScriptedLender).moveContract(proposal, "PAID")
      assert.strictEqual((yield* voice.cancel(id)).status, 202)
      yield* finish
      assert.strictEqual(yield* statusOf(reached), "CONTRACTED")
      const history = at(yield* voice.proposal(proposal), "data", "status_history") as ReadonlyArray<object>
      assert.deepStrictEqual(
        history.slice(-2).map((one) => [Object(one).status, Object(one).reason]),
        [["CANCELLING", null], ["PAID", "ALREADY_PAID"]]
      )
      yield* poll
      assert.strictEqual(yield* statusOf(reached), "CONTRACTED")
    })))

  it.effect("without a body, the customer cancelled", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      const cancelled = yield* voice.send(`/api/v1/fgts/applications/${id}/cancel`, { method: "POST" })
      assert.deepStrictEqual([cancelled.status, at(cancelled, "rejection", "code")], [202, "CUSTOMER_CANCELLED"])
      const other = yield* givenOpened(voice)
      assert.deepStrictEqual(problemsOf(yield* voice.cancel(other.id, {})), ["reason REQUIRED"])
    })))
})
