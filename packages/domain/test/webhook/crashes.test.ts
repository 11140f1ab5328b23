import { assert, describe, it } from "@effect/vitest"
import { webhookAnswer } from "@lastro/testkit"
import { Effect, Exit } from "effect"
import { EventLog } from "../../src/event/EventLog.ts"
import { deliverDueWebhooks } from "../../src/webhook/deliverWebhook.ts"
import { listWebhookDeliveries } from "../../src/webhook/ListWebhooks.ts"
import { webhookLeaseMs, WebhookQueue } from "../../src/webhook/WebhookQueue.ts"
import { advance, happen, openPlay, play, url } from "./webhookPlay.ts"

/** The crash of a process: the run ends at once, and nothing after it happens. */
class Crash extends Error {}

/** Counts the steps of a run, and crashes at one of them: before the step, or after it but before its result is used. */
const crashingAt = (at: number, moment: "before" | "after") => {
  let steps = 0
  const step = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const isLast = steps++ === at
      if (!isLast) return effect
      const crash = Effect.die(new Crash())
      return moment === "before" ? crash : Effect.andThen(effect, crash)
    })
  return { step, hasCrashed: () => steps > at }
}

/** Runs what is due until a step, where the process crashes. Returns whether it crashed. */
const runUntil = Effect.fnUntraced(function*(at: number, moment: "before" | "after") {
  const queue = yield* WebhookQueue
  const log = yield* EventLog
  const { hasCrashed, step } = crashingAt(at, moment)
  const run = deliverDueWebhooks.pipe(
    Effect.provideService(WebhookQueue, {
      ...queue,
      claim: (free) => step(queue.claim(free)),
      advance: (...given) => step(queue.advance(...given)),
      settle: (...given) => step(queue.settle(...given)),
      release: (...given) => step(queue.release(...given))
    }),
    Effect.provideService(EventLog, { ...log, read: (...given) => step(log.read(...given)) })
  )
  const exit = yield* Effect.exit(run)
  if (Exit.isFailure(exit)) assert.isTrue(hasCrashed())
  return Exit.isFailure(exit)
})

describe("a node that crashes while it delivers", () => {
  for (const moment of ["before", "after"] as const) {
    it.effect(`${moment} any step loses no event; a repetition has the same id and body`, () =>
      Effect.gen(function*() {
        let crashes = 0
        for (let at = 0;; at++) {
          const hasCrashed = yield* play(Effect.gen(function*() {
            const one = yield* openPlay()
            one.sender.setBehaviour(url, (_, attempt) => webhookAnswer(attempt % 3 === 0 ? 500 : 200))
            yield* happen(one.root, 23)
            const crashed = yield* runUntil(at, moment)
            yield* happen(one.aa, 5)
            // Another node goes on when the lease has expired.
            yield* advance(webhookLeaseMs)
            for (const delay of ["5 seconds", "1 minute", "5 minutes", "30 minutes"] as const) yield* advance(delay)
            const { events } = yield* (yield* EventLog).read(one.root.partner_id, one.root.partner_id, {
              after: 0,
              limit: 100
            })
            const bodies = new Map<string, Set<string>>()
            for (const { answer, body, event_id } of one.sender.sent()) {
              if (answer.kind === "ANSWERED" && answer.status === 200) {
                bodies.set(event_id, (bodies.get(event_id) ?? new Set()).add(body))
              }
            }
            assert.sameMembers([...bodies.keys()], events.map(({ event_id }) => event_id))
            for (const event of events) {
              assert.deepStrictEqual([...bodies.get(event.event_id) ?? []], [JSON.stringify(event)])
            }
            const { content } = yield* listWebhookDeliveries(one.allowed, one.id, { size: "100" })
            assert.isTrue(content.every(({ status }) => status === "DELIVERED"))
            assert.strictEqual(content.length, 28)
            return crashed
          }))
          if (!hasCrashed) break
          crashes++
        }
        // Without a crash, the run has this many steps. Each of them crashed once.
        assert.isAbove(crashes, 8)
      }), 120_000)
  }
})
