import { assert, describe, it } from "@effect/vitest"
import { latestQuote } from "@lastro/domain/loan"
import { rejectionReason } from "@lastro/domain/offer"
import { DurableWork } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { addMillis, millisOf } from "@lastro/domain/values"
import {
  answerQuote,
  answerWithOffers,
  exampleInstant,
  MemoryDatabase,
  saveApplication,
  storeApplication,
  storeChildPartner,
  storeRootPartner
} from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenVisitor, type PageText, withConsole } from "./TextBrowser.ts"

/** Returns the ids of the applications that a section of the page lists. */
const listed = ({ text }: PageText, title: string): ReadonlyArray<string> => {
  const section = text.split("<section").find((one) => one.includes(`>${title} `)) ?? ""
  return [...section.matchAll(/\/console\/applications\/([\da-f-]{36})/g)].map(([, id = ""]) => id)
}

/** Starts the jobs of pending quotes, and records that the lender did not answer any of them. */
const storeFailingJobs = Effect.fnUntraced(function*(partner: PartnerDetail, count: number) {
  const { update } = yield* MemoryDatabase
  for (let index = 0; index < count; index++) {
    const { quote_id } = latestQuote(yield* storeApplication(partner))
    yield* (yield* UnitOfWork).atomically((yield* DurableWork).startQuote(quote_id))
  }
  yield* update((now) => ({
    ...now,
    work: new Map(Array.from(now.work, ([name, job]) => [name, { ...job, last_error: "ASKED: no answer" }]))
  }))
})

describe("the first page", () => {
  it.effect("FGTS-78 lists exactly the offers that expire today, and exactly the refusals whose retry_at has come", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const retry_at = addMillis(exampleInstant, 60_000)
      const storeQuoted = Effect.gen(function*() {
        const pending = yield* storeApplication(root)
        return yield* saveApplication(pending, yield* answerWithOffers(pending))
      })
      const storeRefused = Effect.fnUntraced(function*(...given: Parameters<typeof rejectionReason>) {
        const pending = yield* storeApplication(root)
        return yield* saveApplication(
          pending,
          yield* answerQuote(pending, { kind: "REFUSED", rejection: rejectionReason(...given) })
        )
      })
      const quoted = yield* storeQuoted
      const later = yield* storeRefused("NO_BALANCE", "", retry_at)
      yield* storeRefused("NOT_OPTED_IN", "")
      yield* storeRefused("LENDER_POLICY", "")
      const last = Math.max(...latestQuote(quoted).offers.map(({ expires_at }) => millisOf(expires_at)))
      const now = yield* browser.get("/console")
      // The offers expire tomorrow.
      assert.deepStrictEqual(listed(now, "Offers that expire today"), [])
      assert.deepStrictEqual(listed(now, "Refused applications that can be tried again now"), [])
      yield* TestClock.setTime(millisOf(retry_at))
      const then = yield* browser.get("/console")
      assert.deepStrictEqual(listed(then, "Refused applications that can be tried again now"), [later.application_id])
      yield* TestClock.setTime(last - 1)
      assert.deepStrictEqual(listed(yield* browser.get("/console"), "Offers that expire today"), [
        quoted.application_id
      ])
      yield* TestClock.setTime(last)
      assert.deepStrictEqual(listed(yield* browser.get("/console"), "Offers that expire today"), [])
    })))

  it.effect("AUTH-33 JOB-11 LENDER-29 shows the failing jobs of the tree to administrators of its root, and to nobody else", () =>
    withConsole(Effect.gen(function*() {
      const [root, other] = [yield* storeRootPartner(), yield* storeRootPartner()]
      const child: PartnerDetail = yield* storeChildPartner(root)
      const shown = Effect.fnUntraced(function*(partner: PartnerDetail, group: "admin" | "manager" = "admin") {
        const { browser } = yield* givenVisitor(partner, group)
        const page = yield* browser.get("/console")
        return [listed(page, "Failing background jobs").length, page.text.includes("does not answer")]
      })
      yield* storeFailingJobs(child, 4)
      assert.deepStrictEqual(yield* shown(root), [0, false])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* shown(root), [4, false])
      yield* storeFailingJobs(child, 1)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* shown(root), [5, true])
      assert.deepStrictEqual(yield* shown(root, "manager"), [0, false])
      assert.deepStrictEqual(yield* shown(child), [0, false])
      assert.deepStrictEqual(yield* shown(other), [0, false])
    })))
})
