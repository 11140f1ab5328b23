import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type Application, latestQuote } from "../../../src/fgts/application/Application.ts"
import { applicationStatus } from "../../../src/fgts/application/ApplicationStatus.ts"
import { proposalExpiresAt } from "../../../src/fgts/application/decideExpire.ts"
import { isCallPending } from "../../../src/fgts/work/contractCalls.ts"
import { jobKinds, jobName } from "../../../src/fgts/work/Job.ts"
import { jobOf } from "../../../src/fgts/work/jobOf.ts"
import { pollDelayMs } from "../../../src/fgts/work/pollContract.ts"
import { quoteId } from "../examples.ts"
import { histories, playHistory, startTimes } from "../histories.ts"

/** The applications after each step of random histories. */
const applications = fc.tuple(startTimes, histories).map(([begins, history]) =>
  playHistory(begins, history).map(({ after, clock }) => ({ application: after, clock }))
)

const nameOf = (application: Application): string | null => {
  const job = jobOf(application)
  return job === null ? null : jobName(job)
}

describe("jobOf", () => {
  it("JOB-02 an application has a job exactly while it is unfinished: of its contract, or else of its latest quote", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(applications, (steps) => {
        for (const { application, clock } of steps) {
          const status = applicationStatus(application, clock)
          seen.add(status)
          const expected = status === "QUOTING"
            ? `quote/${latestQuote(application).quote_id}`
            : status === "CONTRACTING" || status === "REFUNDING"
            ? `contract/${application.proposal?.proposal_id}`
            : null
          assert.strictEqual(nameOf(application), expected, status)
        }
      }),
      { numRuns: 1_000 }
    )
    assert.includeMembers([...seen], [
      "QUOTING",
      "QUOTED",
      "QUOTE_FAILED",
      "CONTRACTING",
      "CONTRACTED",
      "REFUNDING",
      "CANCELLED"
    ])
  })

  it("JOB-02 the job of a contract always has a call to make, a submission, a payment or a poll, or ends its proposal", () => {
    fc.assert(
      fc.property(applications, (steps) => {
        for (const { application, clock } of steps) {
          const { proposal } = application
          // A paid contract is observed, but it does not need a job.
          if (proposal === null || proposal.status === "PAID") continue
          const hasCall = isCallPending(proposal) || pollDelayMs(proposal, clock) !== null ||
            proposalExpiresAt(application) !== null
          assert.strictEqual(hasCall, jobOf(application) !== null, proposal.status)
        }
      }),
      { numRuns: 1_000 }
    )
  })

  it("the name of a job contains its kind and its id", () => {
    const names = jobKinds.map((kind) => jobName({ kind, id: quoteId(7) as never }))
    assert.deepStrictEqual(names, jobKinds.map((kind) => `${kind}/${quoteId(7)}`))
  })
})
