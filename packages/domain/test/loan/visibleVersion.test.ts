import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { examples } from "../../../../test/rounds.ts"
import { type Application, recordingTime } from "../../src/loan/Application.ts"
import { nextTransition, visibleVersion, visiblyUpdatedAt } from "../../src/loan/visibleVersion.ts"
import { fgtsApplication } from "../../src/origination/FgtsApplication.ts"
import { fgtsApplicationStatus } from "../../src/origination/FgtsApplicationStatus.ts"
import { saoPauloMidnight } from "../../src/values/CalendarDate.ts"
import { type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  hourMs,
  lenderOffer,
  msAfter,
  newApplication,
  noon,
  offerId,
  priceQuote,
  quotedApplication,
  rejectQuote,
  requote
} from "./examples.ts"
import { histories, playHistory, startTimes } from "./randomHistories.ts"

/** Everything that is seen of an application but its version. */
const seen = (application: Application, clock: Timestamp) => ({
  whole: fgtsApplication(application, clock, "full", { quotes: true }),
  slim: { ...fgtsApplicationStatus(application, clock), version: 0 }
})

const versionSeen = (application: Application, clock: Timestamp): number =>
  fgtsApplicationStatus(application, clock).version

interface Look {
  readonly version: number
  readonly seen: string
}

/** What is seen after each step, and at some times before the next, in the order of the times that answers speak of. */
const looks = fc.tuple(startTimes, histories, fc.array(fc.nat({ max: 30 * hourMs }), { maxLength: 4 })).map(
  ([begins, history, offsets]): ReadonlyArray<Look> => {
    const played = playHistory(begins, history)
    const observed: Array<Look> = []
    let last = begins
    for (const [index, { after, clock }] of played.entries()) {
      const next = played[index + 1]
      const boundaries = after.quotes.flatMap(({ blocked_until, offers }) =>
        [
          ...offers.map(({ expires_at }) => expires_at),
          ...(blocked_until === undefined ? [] : [saoPauloMidnight(blocked_until)])
        ].flatMap((time) => [-1, 0, 1].map((by) => msAfter(by, time)))
      )
      const times = [clock, ...offsets.map((offset) => msAfter(offset, clock)), ...boundaries].map((time) =>
        recordingTime(after, time)
      )
      for (const time of times.toSorted()) {
        if (time < last || (next !== undefined && time > next.at)) continue
        last = time
        observed.push({ version: versionSeen(after, time), seen: JSON.stringify(seen(after, time)) })
      }
    }
    return observed
  }
)

describe("the version of what is seen", () => {
  it("FGTS-10 never falls, and rises with every visible change", () => {
    let changes = 0
    fc.assert(
      fc.property(looks, (observed) => {
        for (const [index, look] of observed.entries()) {
          const before = observed[index - 1]
          if (before === undefined) continue
          assert.isAtLeast(look.version, before.version)
          if (look.seen === before.seen) continue
          changes += 1
          assert.isAbove(look.version, before.version)
        }
      }),
      { numRuns: examples(400) }
    )
    assert.isAbove(changes, examples(100))
  })

  it("FGTS-10 T43 does not fall when the clock of the node that answers is behind the last fact", () => {
    fc.assert(
      fc.property(startTimes, histories, fc.nat({ max: 30 * hourMs }), (begins, history, behind) => {
        for (const { after } of playHistory(begins, history)) {
          const { updated_at } = after
          assert.strictEqual(versionSeen(after, msAfter(-behind, updated_at)), versionSeen(after, updated_at))
          assert.deepStrictEqual(seen(after, msAfter(-behind, updated_at)), seen(after, updated_at))
        }
      }),
      { numRuns: examples(300) }
    )
  })

  it("FGTS-10 time changes what is seen at the next transition, and not before", () => {
    let transitions = 0
    fc.assert(
      fc.property(startTimes, histories, fc.nat({ max: 30 * hourMs }), (begins, history, offset) => {
        for (const { after, at } of playHistory(begins, history)) {
          const now = msAfter(offset, at)
          const next = nextTransition(after, now)
          const end = next ?? timestampOf(Date.UTC(2100, 0))
          assert.isAbove(end.localeCompare(now), 0)
          assert.deepStrictEqual(seen(after, msAfter(-1, end)), seen(after, now))
          if (next === undefined) continue
          transitions += 1
          assert.isAbove(visibleVersion(after, next), visibleVersion(after, now))
          assert.notDeepEqual(seen(after, next), seen(after, now))
          assert.strictEqual(visiblyUpdatedAt(after, next), next)
        }
      }),
      { numRuns: examples(300) }
    )
    assert.isAbove(transitions, examples(100))
  })

  it("FGTS-10 counts an expiry once however many offers it ends, and each of several", () => {
    const together = applyCommands(newApplication(), priceQuote(1))
    const apart = applyCommands(
      newApplication(),
      priceQuote(1, noon, [
        lenderOffer("standard", { valid_until: msAfter(1_000) }),
        lenderOffer("plus", { fee: 10_00, valid_until: msAfter(2_000) })
      ])
    )
    const rises = (application: Application, milliseconds: ReadonlyArray<number>) =>
      milliseconds.map((by) => visibleVersion(application, msAfter(by)) - application.version)
    assert.deepStrictEqual(rises(together, [0, 24 * hourMs - 1, 24 * hourMs, 25 * hourMs]), [0, 0, 1, 1])
    assert.deepStrictEqual(rises(apart, [0, 999, 1_000, 1_999, 2_000]), [0, 0, 1, 1, 2])
  })

  it("FGTS-10 an expiry that a newer quote or an acceptance settles counts from then on, and changes nothing any more", () => {
    const end = msAfter(24 * hourMs)
    for (
      const settle of [requote(2, msAfter(-1, end)), requote(2, end), accept(offerId(1, 1), msAfter(-1, end))]
    ) {
      const application = applyCommands(quotedApplication(), settle)
      for (const time of [settle.at, msAfter(48 * hourMs)]) {
        assert.strictEqual(visibleVersion(application, time), application.version + 1)
        assert.strictEqual(visiblyUpdatedAt(application, time), settle.at)
      }
      assert.strictEqual(nextTransition(application, noon), undefined)
    }
  })

  it("FGTS-10 T43 an expiry seen by a clock that is ahead and a new quote by one that is behind are two versions", () => {
    const end = msAfter(24 * hourMs)
    const requoted = applyCommands(quotedApplication(), requote(2, msAfter(-1, end)))
    assert.isAbove(visibleVersion(requoted, msAfter(-1, end)), visibleVersion(quotedApplication(), end))
  })

  it("FGTS-10 what may be asked again only later is a transition then", () => {
    const refused = applyCommands(newApplication(), rejectQuote(1, "BIRTHDAY_WINDOW", noon, msAfter(3_000)))
    assert.strictEqual(nextTransition(refused, noon), msAfter(3_000))
    assert.strictEqual(nextTransition(refused, msAfter(3_000)), undefined)
    assert.strictEqual(fgtsApplicationStatus(refused, msAfter(2_999)).next_action, "RETRY_LATER")
    assert.strictEqual(fgtsApplicationStatus(refused, msAfter(3_000)).next_action, "REQUOTE")
    assert.strictEqual(visibleVersion(refused, msAfter(3_000)), visibleVersion(refused, msAfter(2_999)) + 1)
  })
})
