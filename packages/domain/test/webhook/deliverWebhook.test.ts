import { assert, describe, it } from "@effect/vitest"
import { type EndpointBehaviour, MemoryDatabase, type SentWebhook, webhookAnswer } from "@lastro/testkit"
import { Effect, References } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { EventLog, EventsExpired } from "../../src/event/EventLog.ts"
import { millisOf } from "../../src/values/Timestamp.ts"
import { deliveryRetryDelayMs, maxAttempts, maxInFlight } from "../../src/webhook/attempts.ts"
import { getWebhook, listWebhookDeliveries } from "../../src/webhook/ListWebhooks.ts"
import { redeliverEvent, replayWebhook, rotateWebhookSecret, testWebhook } from "../../src/webhook/requestDeliveries.ts"
import { deleteWebhook, updateWebhook } from "../../src/webhook/UpdateWebhook.ts"
import { type WebhookAnswer } from "../../src/webhook/WebhookSender.ts"
import { auditEntriesOf } from "../fixtures.ts"
import { advance, deliver, happen, openPlay, play, url } from "./webhookPlay.ts"

type Play = Effect.Success<ReturnType<typeof openPlay>>

/** Reads the events of the webhook's partner, oldest first. */
const feedOf = ({ root }: Play) =>
  Effect.map(
    EventLog.use((log) => log.read(root.partner_id, root.partner_id, { after: 0, limit: 10_000 })),
    ({ events }) => events
  )

const idsSent = (sent: ReadonlyArray<SentWebhook>) => sent.map(({ event_id }) => event_id)

const byEvent = (sent: ReadonlyArray<SentWebhook>) => Map.groupBy(sent, ({ event_id }) => event_id)

const isDelivered = ({ answer }: SentWebhook): boolean => answer.kind === "ANSWERED" && answer.status === 200

const deliveriesOf = ({ allowed, id }: Play, query: Record<string, string> = {}) =>
  Effect.map(listWebhookDeliveries(allowed, id, { size: "100", ...query }), ({ content }) => content)

describe("delivering the events of a webhook", () => {
  it.effect("every event from the creation on is delivered once, as it is in the feed, and signed with the secret", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      yield* happen(one.root)
      yield* happen(one.aa, 25)
      yield* happen(one.stranger)
      yield* deliver
      const events = yield* feedOf(one)
      assert.strictEqual(events.length, 26)
      assert.sameMembers(
        one.sender.sent().map(({ body }) => body),
        events.map((event) => JSON.stringify(event))
      )
      for (const { event_id, secrets, url: sentTo } of one.sender.sent()) {
        assert.include(events.map((event) => event.event_id), event_id)
        assert.deepStrictEqual([sentTo, secrets], [url, ["sealed:whsec_test1"]])
      }
      assert.strictEqual(one.sender.mostInFlight(url), maxInFlight)
      yield* advance("1 day")
      assert.strictEqual(one.sender.sent().length, 26)
    })))

  it.effect("a webhook gets the events of its types, of its partner and below", () =>
    play(Effect.gen(function*() {
      const { a, aa, b, root, sender } = yield* openPlay({ types: ["partner.moved", "user.*"] })
      yield* happen(root, 1, "partner.moved")
      yield* happen(aa, 1, "user.deleted")
      yield* happen(b, 1, "partner.updated")
      yield* deliver
      const types = sender.sent().map(({ body }) => (JSON.parse(body) as { readonly type: string }).type)
      assert.deepStrictEqual(types.toSorted(), ["partner.moved", "user.deleted"])
      const below = yield* openPlay()
      yield* happen(a)
      yield* deliver
      assert.strictEqual(below.sender.sent().length, 2)
    })))

  it.effect("WEBHOOK-01 WEBHOOK-03 a dead endpoint gets the attempts of the schedule, is paused, and resumes to the last event", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      one.sender.setBehaviour(url, "dead")
      yield* happen(one.root)
      yield* deliver
      for (let failed = 1; failed < maxAttempts; failed++) {
        yield* advance(deliveryRetryDelayMs(failed) - 1)
        assert.strictEqual(one.sender.sent().length, failed)
        yield* advance(1)
        assert.strictEqual(one.sender.sent().length, failed + 1)
      }
      const paused = yield* getWebhook(one.allowed, one.id)
      assert.deepStrictEqual([paused.status, paused.stop_reason], ["PAUSED", "RETRIES_EXHAUSTED"])
      assert.strictEqual(paused.health.last_failure, "CONNECTION")
      assert.deepInclude((yield* auditEntriesOf(one.id)).at(-1), { action: "webhook.pause", actor: "lastro" })
      assert.deepStrictEqual((yield* deliveriesOf(one)).map(({ attempts, status }) => [status, attempts]), [
        ["FAILED", maxAttempts]
      ])
      yield* happen(one.root, 30)
      yield* advance("30 days")
      assert.strictEqual(one.sender.sent().length, maxAttempts)
      one.sender.setBehaviour(url, "ok")
      yield* updateWebhook(one.allowed, one.id, { status: "ACTIVE" })
      yield* deliver
      const ids = (yield* feedOf(one)).map(({ event_id }) => event_id)
      assert.sameMembers(idsSent(one.sender.sent().filter(isDelivered)), ids)
    })))

  it.effect("WEBHOOK-03 a 410 answer disables the endpoint; it resumes to the last event", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      one.sender.setBehaviour(url, "gone")
      yield* happen(one.root, 3)
      yield* deliver
      const disabled = yield* getWebhook(one.allowed, one.id)
      assert.deepStrictEqual([disabled.status, disabled.stop_reason], ["DISABLED", "GONE"])
      assert.deepInclude((yield* auditEntriesOf(one.id)).at(-1), { action: "webhook.disable", actor: "lastro" })
      one.sender.setBehaviour(url, "ok")
      yield* advance("1 day")
      assert.strictEqual(one.sender.sent().length, 3)
      yield* updateWebhook(one.allowed, one.id, { status: "ACTIVE" })
      yield* deliver
      assert.strictEqual(one.sender.sent().filter(isDelivered).length, 3)
    })))

  it.effect("WEBHOOK-02 a Retry-After holds the whole endpoint", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      one.sender.setBehaviour(url, (_, attempt) =>
        attempt === 1 ? webhookAnswer(429, { retry_after_ms: 600_000 }) : webhookAnswer(200))
      yield* happen(one.root)
      yield* deliver
      yield* happen(one.root)
      yield* advance("599 seconds")
      assert.strictEqual(one.sender.sent().length, 1)
      yield* advance("1 second")
      assert.strictEqual(one.sender.sent().length, 3)
    })))

  it.effect("WEBHOOK-04 a dead endpoint stores few deliveries, and none of its events is lost", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      one.sender.setBehaviour(url, "dead")
      for (let round = 0; round < 12; round++) {
        yield* happen(one.root, 50)
        yield* advance("1 minute")
      }
      const state = yield* (yield* MemoryDatabase).state
      assert.isAtMost(state.webhooks.get(one.id)?.deliveries.size ?? 0, 250)
      one.sender.setBehaviour(url, "ok")
      for (let day = 0; day < 4; day++) yield* advance("12 hours")
      const ids = (yield* feedOf(one)).map(({ event_id }) => event_id)
      assert.strictEqual(ids.length, 600)
      assert.sameMembers([...new Set(idsSent(one.sender.sent().filter(isDelivered)))], ids)
    })))

  it.effect("WEBHOOK-11 a test is sent once, to a paused endpoint too, and changes neither status nor health", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      yield* updateWebhook(one.allowed, one.id, { status: "PAUSED" })
      yield* happen(one.root)
      one.sender.setBehaviour(url, "gone")
      const { answer } = yield* testWebhook(one.allowed, one.id, undefined)
      assert.deepStrictEqual([answer.status, answer.type, answer.sequence], ["PENDING", "webhook.test", null])
      yield* advance("30 days")
      const [sent, ...more] = one.sender.sent()
      assert.isEmpty(more)
      assert.deepInclude(JSON.parse(sent?.body ?? ""), {
        event_id: answer.event_id,
        type: "webhook.test",
        partner_id: one.root.partner_id
      })
      assert.notInclude((yield* feedOf(one)).map(({ event_id }) => event_id), answer.event_id)
      const after = yield* getWebhook(one.allowed, one.id)
      assert.deepStrictEqual([after.status, after.health], ["PAUSED", one.webhook.health])
      assert.deepStrictEqual((yield* deliveriesOf(one, { status: "FAILED" })).map(({ last_status }) => last_status), [
        410
      ])
    })))

  it.effect("WEBHOOK-10 WEBHOOK-12 a redelivery and a replay send the same events again, with the same ids and bodies", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      yield* happen(one.root, 4)
      yield* deliver
      const events = yield* feedOf(one)
      const [first, second] = events
      yield* redeliverEvent(one.allowed, one.id, first?.event_id ?? "", undefined)
      yield* deliver
      assert.strictEqual(one.sender.sent().at(-1)?.event_id, first?.event_id)
      yield* replayWebhook(one.allowed, one.id, { from_sequence: second?.sequence })
      yield* deliver
      const counts = byEvent(one.sender.sent())
      assert.deepStrictEqual(events.map(({ event_id }) => counts.get(event_id)?.length), [2, 2, 2, 2])
      for (const sent of counts.values()) assert.strictEqual(new Set(sent.map(({ body }) => body)).size, 1)
      yield* replayWebhook(one.allowed, one.id, { from_sequence: 1_000_000 })
      yield* happen(one.root)
      yield* deliver
      assert.strictEqual(one.sender.sent().length, 9)
    })))

  it.effect("WEBHOOK-09 after a rotation, deliveries are signed with both secrets for 24 hours", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      const { answer } = yield* rotateWebhookSecret(one.allowed, one.id, undefined)
      assert.strictEqual(answer.secret, "whsec_test2")
      yield* happen(one.root)
      yield* deliver
      yield* TestClock.adjust("1 day")
      yield* happen(one.root)
      yield* deliver
      assert.deepStrictEqual(one.sender.sent().map(({ secrets }) => secrets), [
        ["sealed:whsec_test2", "sealed:whsec_test1"],
        ["sealed:whsec_test2"]
      ])
    })))

  it.effect("a webhook whose next events were deleted from the feed goes on after them", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      yield* happen(one.root, 5)
      const log = yield* EventLog
      const deleted = 3
      yield* Effect.provideService(deliver, EventLog, {
        ...log,
        read: (partner, root, query) =>
          (query.after ?? 0) < deleted
            ? Effect.fail(new EventsExpired({ oldest: deleted }))
            : log.read(partner, root, query)
      })
      const kept = (yield* feedOf(one)).slice(deleted)
      assert.sameMembers(idsSent(one.sender.sent()), kept.map(({ event_id }) => event_id))
      assert.strictEqual(kept.length, 2)
    })))

  it.effect("a deleted webhook gets nothing more", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      one.sender.setBehaviour(url, "dead")
      yield* happen(one.root)
      yield* deliver
      yield* deleteWebhook(one.allowed, one.id)
      yield* advance("1 day")
      assert.strictEqual(one.sender.sent().length, 1)
    })))

  it.effect("a sender that fails with a defect counts as a connection failure", () =>
    play(Effect.gen(function*() {
      const one = yield* openPlay()
      one.sender.setBehaviour(url, () => {
        throw new Error("a defect of the sender")
      })
      yield* happen(one.root)
      yield* deliver
      assert.deepStrictEqual(
        (yield* deliveriesOf(one)).map(({ last_fault, status }) => [status, last_fault]),
        [["PENDING", "CONNECTION"]]
      )
    })))
})

const silent: WebhookAnswer = { kind: "FAILED", reason: "TIMEOUT", duration_ms: 10_000 }

/** The answers of an endpoint. */
const answers = fc.array(
  fc.constantFrom<WebhookAnswer>(
    webhookAnswer(200),
    webhookAnswer(200),
    webhookAnswer(500),
    webhookAnswer(302),
    webhookAnswer(410),
    webhookAnswer(503, { retry_after_ms: 90_000 }),
    silent
  ),
  { maxLength: 60 }
)

type Command =
  | { readonly kind: "happen"; readonly count: number }
  | { readonly kind: "advance"; readonly seconds: number }
  | { readonly kind: "pause" | "resume" }
  | { readonly kind: "replay"; readonly from: number }

const commands = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("happen" as const), count: fc.integer({ min: 1, max: 15 }) })
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("advance" as const),
        seconds: fc.constantFrom(0, 1, 5, 60, 300, 1_800, 7_200, 43_200)
      })
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("pause" as const, "resume" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("replay" as const), from: fc.integer({ min: 1, max: 30 }) }) }
  ),
  { maxLength: 25 }
)

/** Answers the scripted answers in order, and 200 afterwards. */
const scripted = (script: ReadonlyArray<WebhookAnswer>): EndpointBehaviour => (_, attempt) =>
  script[attempt - 1] ?? webhookAnswer(200)

describe("random outcomes", () => {
  it(
    "WEBHOOK-01 WEBHOOK-03 every event is delivered, in the attempts of the schedule, whatever the endpoint answers",
    () =>
      fc.assert(
        fc.asyncProperty(answers, commands, async (script, given) => {
          const test = Effect.gen(function*() {
            const one = yield* openPlay()
            one.sender.setBehaviour(url, scripted(script))
            /** The times at which deliveries may begin anew. */
            const begins: Array<number> = []
            const now = Effect.map(TestClock.testClockWith((clock) => clock.currentTimeMillis), Number)
            const run = Effect.fnUntraced(function*(command: Command) {
              if (command.kind === "happen") yield* happen(one.aa, command.count)
              else if (command.kind === "advance") yield* advance(command.seconds * 1_000)
              else {
                begins.push(yield* now)
                yield* command.kind === "replay"
                  ? replayWebhook(one.allowed, one.id, { from_sequence: command.from })
                  : updateWebhook(one.allowed, one.id, { status: command.kind === "pause" ? "PAUSED" : "ACTIVE" })
                yield* TestClock.adjust(1)
              }
            })
            for (const command of given as ReadonlyArray<Command>) yield* run(command)
            // The endpoint answers 200 from now on, except for the answers that are left.
            for (let round = 0; round < 70; round++) {
              yield* run({ kind: "resume" })
              yield* advance("12 hours")
            }
            const ids = (yield* feedOf(one)).map(({ event_id }) => event_id)
            const sent = byEvent(one.sender.sent())
            assert.sameMembers([...new Set(idsSent(one.sender.sent().filter(isDelivered)))], ids)
            assert.isAtMost(one.sender.mostInFlight(url), maxInFlight)
            for (const attempts of sent.values()) {
              let failed = 0
              for (const [index, attempt] of attempts.entries()) {
                const at = millisOf(attempt.at)
                const before = attempts[index - 1]
                const isAnew = before === undefined ||
                  begins.some((begin) => begin >= millisOf(before.at) && begin <= at)
                if (before === undefined || isAnew) failed = 0
                else {
                  assert.isFalse(isDelivered(before), "A delivered event is sent again without a request")
                  assert.isAtLeast(at - millisOf(before.at), deliveryRetryDelayMs(failed))
                }
                failed++
              }
            }
            assert.strictEqual((yield* getWebhook(one.allowed, one.id)).status, "ACTIVE")
            assert.isEmpty(yield* deliveriesOf(one, { status: "PENDING" }))
          })
          const quiet = Effect.provideService(play(test), References.MinimumLogLevel, "Error")
          await Effect.runPromise(Effect.provide(quiet, TestClock.layer()))
        }),
        { numRuns: 40 }
      ),
    120_000
  )
})
