import { assert, describe, it } from "@effect/vitest"
import { application } from "@lastro/testkit/arbitraries"
import * as fc from "fast-check"
import { type Application } from "../../src/loan/Application.ts"
import { ApplicationStatus, applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import {
  courseOf,
  type LoanPlaceParts,
  loanPlaces,
  placeOn,
  placesFor,
  placeWithoutPartner
} from "../../src/loan/LoanPlace.ts"
import { NextAction, nextAction } from "../../src/loan/nextAction.ts"
import { ProposalStatus } from "../../src/loan/Proposal.ts"
import { saoPauloMidnight } from "../../src/values/CalendarDate.ts"
import { addMillis, type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"

/** The last event, the times near every time that an application mentions, and a random time after the last event. */
const instantsOf = ({ quotes, updated_at }: Application, pause: number): ReadonlyArray<Timestamp> => {
  const mentioned = quotes.flatMap(({ blocked_until, offers, rejection }) => [
    ...offers.map(({ expires_at }) => expires_at),
    ...blocked_until === undefined ? [] : [saoPauloMidnight(blocked_until)],
    ...rejection?.retry_at === null || rejection === null ? [] : [rejection.retry_at]
  ])
  return [...mentioned.flatMap((at) => [-1, 0, 1].map((ms) => addMillis(at, ms))), updated_at]
    .filter((at) => at >= updated_at)
    .concat(addMillis(updated_at, pause))
}

/** Applications, some of them of a deleted partner or with a day until which another contract blocks them. */
const examples = fc.tuple(application, fc.boolean(), fc.option(fc.integer({ min: 0, max: 72 }))).map(
  ([one, isDeleted, blockedHours]): Application => {
    const [first, ...others] = one.quotes
    const last = others.at(-1) ?? first
    const day = addMillis(one.updated_at, 3_600_000 * (blockedHours ?? 0)).slice(0, 10)
    const quotes = blockedHours === null
      ? one.quotes
      : [...one.quotes.slice(0, -1), { ...last, blocked_until: day as NonNullable<typeof last.blocked_until> }]
    return {
      ...one,
      quotes: quotes as Application["quotes"],
      partner_deleted_at: isDeleted ? one.updated_at : null
    }
  }
)

const partsAt = (one: Application, at: Timestamp): LoanPlaceParts => ({
  status: applicationStatus(one, at),
  next_action: nextAction(one, at),
  proposal_status: one.proposal?.status ?? null
})

describe("LoanPlace", () => {
  it("FGTS-71 FGTS-72 the course of an application has its status, next action and proposal status at every time", () => {
    const lengths = new Set<number>()
    fc.assert(
      fc.property(examples, fc.nat({ max: 40 * 24 * 3_600_000 }), (one, pause) => {
        const course = courseOf(one)
        lengths.add(course.later.length)
        for (const at of instantsOf(one, pause)) {
          assert.deepStrictEqual(loanPlaces.get(placeOn(course, at)), partsAt(one, at))
        }
        assert.strictEqual(placeOn(course, timestampOf(0)), course.place)
      }),
      { numRuns: 500 }
    )
    assert.isTrue(lengths.has(0) && lengths.has(1) && lengths.has(2))
  })

  it("FGTS-73 a filter selects the places whose values it names", () => {
    assert.strictEqual(placesFor({}).length, loanPlaces.size)
    assert.deepStrictEqual(placesFor({ next_action: ["SIGN"] }), ["CONTRACTING/SIGN/AWAITING_SIGNATURE"])
    assert.deepStrictEqual(placesFor({ status: ["QUOTED"], next_action: ["SIGN"] }), [])
    assert.deepStrictEqual(placesFor({ status: [] }), [])
    for (const status of ApplicationStatus.literals) assert.isNotEmpty(placesFor({ status: [status] }))
    for (const action of NextAction.literals) assert.isNotEmpty(placesFor({ next_action: [action] }))
    for (const status of ProposalStatus.literals) assert.lengthOf(placesFor({ proposal_status: [status] }), 1)
  })

  it("FGTS-74 the deletion of the partner changes the places of a course as the next action", () => {
    fc.assert(fc.property(examples, fc.nat({ max: 40 * 24 * 3_600_000 }), (one, pause) => {
      const [before, after] = [
        courseOf({ ...one, partner_deleted_at: null }),
        courseOf({ ...one, partner_deleted_at: one.updated_at })
      ]
      for (const at of instantsOf(one, pause)) {
        assert.strictEqual(placeOn(after, at), placeWithoutPartner(placeOn(before, at)))
      }
    }))
  })
})
