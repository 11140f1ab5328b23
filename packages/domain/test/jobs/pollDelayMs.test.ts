import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { observationDelayMs, pollDelayMs } from "../../src/jobs/pollContract.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { watchedUntil } from "../../src/loan/pledges.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import {
  applyCommands,
  completeKyc,
  contractingApplication,
  msAfter,
  noon,
  storedProposal,
  submitKyc,
  updateContract
} from "../loan/examples.ts"

const minutes = 60_000

/** Milliseconds from a time to the next poll, or null if the contract is not polled. */
const pause = (application: Application, at: Timestamp, isAnswered: boolean = true): number | null =>
  pollDelayMs(application, at, isAnswered)

const waiting = applyCommands(contractingApplication(), updateContract("AWAITING_SIGNATURE", noon))

describe("pollDelayMs", () => {
  it("LENDER-03 a contract is polled after a tenth of the time since its last change, between 0.1 seconds and 15 minutes", () => {
    for (
      const [since, expected] of [
        [0, 100],
        [999, 100],
        [1_000, 100],
        [10_000, 1_000],
        [10 * minutes, minutes],
        [150 * minutes, 15 * minutes],
        [10_000 * minutes, 15 * minutes],
        [-1_000, 100]
      ] as const
    ) assert.strictEqual(pause(waiting, msAfter(since)), expected)
    fc.assert(fc.property(fc.nat({ max: 100 * 86_400_000 }), (since) => {
      const expected = Math.floor(Math.min(Math.max(since / 10, 100), 15 * minutes))
      assert.strictEqual(pause(waiting, msAfter(since)), expected)
    }))
  })

  it("LENDER-03 polls every submitted contract that is not final, including failed payments", () => {
    const after = (status: Parameters<typeof updateContract>[0]) =>
      applyCommands(contractingApplication(), updateContract(status))
    const looked = [
      contractingApplication(),
      after("IN_ANALYSIS"),
      after("AWAITING_SIGNATURE"),
      after("GUARANTEE_PENDING"),
      after("DISBURSING"),
      after("DISBURSEMENT_FAILED"),
      after("CANCELLED"),
      after("REJECTED")
    ].map((application) => pause(application, noon) !== null)
    assert.deepStrictEqual(looked, [false, true, true, true, true, true, false, false])
  })

  it("LENDER-03 a changed signature URL does not increase the poll frequency", () => {
    const unlinked = applyCommands(
      contractingApplication(),
      updateContract("AWAITING_SIGNATURE", noon, { signature_url: null })
    )
    const signature_url = "https://lender.example/sign/another"
    const retold = applyCommands(
      unlinked,
      updateContract("AWAITING_SIGNATURE", msAfter(10 * minutes), { signature_url })
    )
    assert.strictEqual(storedProposal(retold)?.signature_url, signature_url)
    assert.strictEqual(pause(retold, msAfter(10 * minutes)), minutes)
  })

  it("PROP-13 a paid contract is observed for 10 days at growing intervals, the last time at the end", () => {
    const day = 24 * 60 * minutes
    const waits: Array<number> = []
    let since = 0
    for (let wait = observationDelayMs(since); wait !== null; wait = observationDelayMs(since)) {
      waits.push(wait)
      since += wait
    }
    assert.strictEqual(since, 10 * day)
    assert.strictEqual(waits[0], 10 * minutes)
    const last = waits.pop() ?? 0
    assert.deepStrictEqual(waits, waits.toSorted((one, other) => one - other))
    assert.strictEqual(waits.at(-1), 6 * 60 * minutes)
    assert.isAtMost(last, 6 * 60 * minutes)
    assert.isBelow(waits.length, 100)
    const paid = applyCommands(contractingApplication(), updateContract("PAID"))
    assert.strictEqual(pause(paid, msAfter(day)), Math.floor(day / 10))
    assert.isAbove(pause(paid, msAfter(10 * day)) ?? 0, 10 * day)
  })

  it("PROP-17 after the 10 days, a paid contract is polled 10 days after each due date, in the 12 hours after midnight in São Paulo", () => {
    const paid = applyCommands(contractingApplication(), updateContract("PAID"))
    const due_dates = latestQuote(paid).offers[0]!.terms.installments.map(({ due_date }) => due_date)
    assert.deepStrictEqual<ReadonlyArray<string>>(due_dates, ["2026-05-01", "2027-05-01", "2028-05-01"])
    const midnights = ["2026-05-11T03:00:00.000Z", "2027-05-11T03:00:00.000Z", "2028-05-11T03:00:00.000Z"]
    const pollsAfterMidnight = (application: Application): ReadonlyArray<number> => {
      const polls: Array<Timestamp> = []
      let at = msAfter(10 * 24 * 60 * minutes)
      for (let wait = pause(application, at); wait !== null; wait = pause(application, at)) {
        at = msAfter(wait, at)
        polls.push(at)
        // A poll without an answer is repeated after 6 hours.
        assert.strictEqual(pause(application, at, false), 6 * 60 * minutes)
      }
      return polls.map((poll, index) => Date.parse(poll) - Date.parse(midnights[index] ?? ""))
    }
    const { proposal } = paid
    if (proposal?.status !== "PAID") assert.fail("not paid")
    const withId = (proposal_id: string): Application => ({
      ...paid,
      proposal: { ...proposal, proposal_id: proposal_id as ProposalId }
    })
    fc.assert(fc.property(fc.uuid({ version: 7 }), (id) => {
      const [first = -1, ...rest] = pollsAfterMidnight(withId(id))
      assert.isAtLeast(first, 0)
      assert.isBelow(first, 12 * 60 * minutes)
      assert.deepStrictEqual(rest, [first, first])
    }))
    const sixHours = 6 * 60 * minutes
    assert.deepStrictEqual(
      pollsAfterMidnight(withId("0197f3a2-d394-75c6-80c2-738480000000")),
      [sixHours, sixHours, sixHours]
    )
    assert.strictEqual(watchedUntil(paid), "2028-05-12T03:00:00.000Z" as Timestamp)
    const settled = applyCommands(paid, updateContract("SETTLED"))
    assert.isNull(pause(settled, noon))
    assert.isNull(watchedUntil(settled))
  })

  it("LENDER-03 a repeated payment is polled soon", () => {
    const unpaid = applyCommands(waiting, updateContract("DISBURSEMENT_FAILED", msAfter(1)))
    assert.strictEqual(
      pause(applyCommands(unpaid, submitKyc(completeKyc, msAfter(100 * minutes))), msAfter(100 * minutes)),
      100
    )
  })
})
