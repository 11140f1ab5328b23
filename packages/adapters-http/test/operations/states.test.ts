import { assert, describe, it } from "@effect/vitest"
import { type Busy } from "@lastro/domain/ports"
import { type ProposalId, timestampOf } from "@lastro/domain/values"
import { refusing, ScriptedLender, silent, storeRootPartner, usualAnswer } from "@lastro/testkit"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, type Reply } from "../client.ts"
import { type Ports, withServer } from "../harness.ts"
import { finish, givenOpened, givenVoice, offersOf, poll, type Voice } from "../origination.ts"

/** Arranges an application that was quoted, with a complete KYC. */
const givenQuoted = Effect.fnUntraced(function*(voice: Voice) {
  const { id, kyc } = yield* givenOpened(voice)
  yield* finish
  yield* voice.submit(id, kyc)
  const [offer = "", other = ""] = offersOf(yield* voice.read(id))
  return { id, kyc, offer, other }
})

type Quoted = Effect.Success<ReturnType<typeof givenQuoted>>

const requoted = (voice: Voice, { id }: Quoted) => Effect.asVoid(voice.requote(id))

/** Requests another quote that the lender rejects. `ahead` is the time until a retry is allowed, in milliseconds. */
const refusedAnew = (code: Parameters<typeof refusing>[0], ahead?: number) =>
  Effect.fnUntraced(function*(voice: Voice, quoted: Quoted) {
    const retry_at = ahead === undefined ? null : timestampOf((yield* Clock.currentTimeMillis) + ahead)
    yield* (yield* ScriptedLender).setQuoteAnswers(refusing(code, retry_at))
    yield* requoted(voice, quoted)
    yield* finish
  })

const contracting = (voice: Voice, { id, offer }: Quoted) => Effect.asVoid(voice.accept(id, offer))

/** Submits the contract to the lender, which moves it to a status. */
const brought = (status: Parameters<typeof ScriptedLender["Service"]["moveContract"]>[1]) =>
  Effect.fnUntraced(function*(voice: Voice, quoted: Quoted) {
    yield* contracting(voice, quoted)
    yield* finish
    const proposal = at(yield* voice.read(quoted.id), "proposal_id") as ProposalId
    yield* (yield* ScriptedLender).moveContract(proposal, status)
    yield* TestClock.adjust("1 second")
    yield* poll
  })

const accepted = { same: "202", other: "409 OFFER_NOT_AVAILABLE DECLINED" }
const over = { requote: "409 APPLICATION_NOT_QUOTABLE", accept: accepted, kyc: "409 KYC_LOCKED" }
const replaced = "409 OFFER_NOT_AVAILABLE SUPERSEDED"
const stale = { accept: { same: replaced, other: replaced }, kyc: "200" }

interface State {
  readonly name: string
  readonly reach: (voice: Voice, quoted: Quoted) => Effect.Effect<void, Busy, Ports>
  readonly status: string
  readonly next_action: string
  readonly requote: string
  /** The answers to accepting the first offer, and another one. */
  readonly accept: { readonly same: string; readonly other: string }
  readonly kyc: string
}

/** The answer of every command in every state. */
const states: ReadonlyArray<State> = [
  {
    name: "a newer quote is pending",
    reach: requoted,
    status: "QUOTING",
    next_action: "WAIT",
    requote: "409 QUOTE_IN_PROGRESS",
    ...stale
  },
  {
    name: "there are offers",
    reach: () => Effect.void,
    status: "QUOTED",
    next_action: "ACCEPT_OFFER",
    requote: "202",
    accept: { same: "202", other: "202" },
    kyc: "200"
  },
  {
    name: "the offers have expired",
    reach: () => TestClock.adjust("24 hours"),
    status: "EXPIRED",
    next_action: "REQUOTE",
    requote: "202",
    accept: { same: "409 OFFER_NOT_AVAILABLE EXPIRED", other: "409 OFFER_NOT_AVAILABLE EXPIRED" },
    kyc: "200"
  },
  {
    name: "the lender could not be asked",
    reach: Effect.fnUntraced(function*(voice: Voice, quoted: Quoted) {
      yield* (yield* ScriptedLender).setQuoteAnswers(silent())
      yield* requoted(voice, quoted)
      const work = yield* Effect.forkChild(finish, { startImmediately: true })
      yield* TestClock.adjust("10 minutes")
      yield* Fiber.join(work)
    }),
    status: "QUOTE_FAILED",
    next_action: "REQUOTE",
    requote: "202",
    ...stale
  },
  {
    name: "the lender refused, and can be asked again",
    reach: refusedAnew("NO_AUTHORIZATION"),
    status: "REJECTED",
    next_action: "REQUOTE",
    requote: "202",
    ...stale
  },
  {
    name: "the lender refused, and can be asked again by now",
    reach: Effect.fnUntraced(function*(voice: Voice, quoted: Quoted) {
      yield* refusedAnew("BIRTHDAY_WINDOW", 3_000)(voice, quoted)
      yield* TestClock.adjust("3 seconds")
    }),
    status: "REJECTED",
    next_action: "REQUOTE",
    requote: "202",
    ...stale
  },
  {
    name: "the lender refused, and cannot be asked again yet",
    reach: refusedAnew("BIRTHDAY_WINDOW", 3_000),
    status: "REJECTED",
    next_action: "RETRY_LATER",
    requote: "409 APPLICATION_NOT_QUOTABLE",
    ...stale
  },
  {
    name: "the lender refused for good",
    reach: refusedAnew("NO_FGTS_ACCOUNT"),
    status: "REJECTED",
    next_action: "NONE",
    requote: "409 APPLICATION_NOT_QUOTABLE",
    ...stale
  },
  { name: "an offer was accepted", reach: contracting, status: "CONTRACTING", next_action: "WAIT", ...over },
  {
    name: "the signature is waited for",
    reach: brought("AWAITING_SIGNATURE"),
    status: "CONTRACTING",
    next_action: "SIGN",
    ...over
  },
  {
    name: "the guarantee is waited for",
    reach: brought("GUARANTEE_PENDING"),
    status: "CONTRACTING",
    next_action: "WAIT",
    ...over
  },
  {
    name: "the payment failed",
    reach: brought("DISBURSEMENT_FAILED"),
    status: "CONTRACTING",
    next_action: "FIX_DISBURSEMENT",
    ...over,
    kyc: "200"
  },
  { name: "the customer was paid", reach: brought("PAID"), status: "CONTRACTED", next_action: "NONE", ...over },
  {
    name: "the contract was cancelled",
    reach: brought("CANCELLED"),
    status: "CANCELLED",
    next_action: "NONE",
    ...over
  },
  {
    name: "the lender refused the contract",
    reach: brought("REJECTED"),
    status: "CANCELLED",
    next_action: "NONE",
    ...over
  }
]

const outcome = (reply: Reply): string => {
  const detail = at(reply, "error", "details", 0, "code")
  return [reply.status, codeOf(reply), detail].filter((one) => one !== undefined).join(" ")
}

describe("commands on an application by state", () => {
  for (const { accept, kyc, name, next_action, reach, requote, status } of states) {
    it.effect(`${name}: status, next action, and the answer of every command`, () =>
      withServer(Effect.gen(function*() {
        const voice = yield* givenVoice(yield* storeRootPartner())
        const asked = [
          [requote, ({ id }: Quoted) => voice.requote(id)],
          [accept.same, ({ id, offer }: Quoted) => voice.accept(id, offer)],
          [accept.other, ({ id, other }: Quoted) => voice.accept(id, other)],
          [kyc, ({ id }: Quoted) => voice.submit(id, { disbursement_method: "PIX" })]
        ] as const
        for (const [expected, ask] of asked) {
          yield* (yield* ScriptedLender).setQuoteAnswers(usualAnswer)
          const quoted = yield* givenQuoted(voice)
          yield* reach(voice, quoted)
          const read = yield* voice.read(quoted.id)
          const slim = yield* voice.status(quoted.id)
          assert.deepStrictEqual([at(read, "status"), at(slim, "status"), at(slim, "next_action")], [
            status,
            status,
            next_action
          ])
          assert.strictEqual(outcome(yield* ask(quoted)), expected)
        }
      })))
  }
})
