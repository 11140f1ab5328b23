import { assert, describe, it } from "@effect/vitest"
import { isCallPending } from "../../src/jobs/contractCalls.ts"
import { jobInQueue, jobKinds, jobName, jobsOf, queueOf, queuesOf } from "../../src/jobs/Job.ts"
import { pollDelayMs } from "../../src/jobs/pollContract.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { applicationStatus } from "../../src/loan/ApplicationStatus.ts"
import { proposalExpiresAt } from "../../src/loan/proposalExpiry.ts"
import { quoteId } from "../loan/examples.ts"
import { forHistories } from "../loan/randomHistories.ts"

const jobOf = (application: Application) => jobsOf(application)[0] ?? null

const nameOf = (application: Application): string | null => {
  const job = jobOf(application)
  return job === null ? null : jobName(job)
}

describe("jobOf", () => {
  it("JOB-02 an application has a job exactly while it is unfinished: of its contract, or else of its latest quote", () => {
    const seen = new Set<string>()
    forHistories((played) => {
      for (const { after: application, clock } of played) {
        const status = applicationStatus(application, clock)
        seen.add(status)
        const expected = status === "QUOTING"
          ? `quote/${latestQuote(application).quote_id}`
          : status === "CONTRACTING" || status === "REFUNDING"
          ? `contract/${application.proposal?.proposal_id}`
          : null
        assert.strictEqual(nameOf(application), expected, status)
      }
    })
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
    forHistories((played) => {
      for (const { after: application, clock } of played) {
        const { proposal } = application
        // A paid contract is observed, but it does not need a job.
        if (proposal === null || proposal.status === "PAID") continue
        const hasCall = isCallPending(proposal) || pollDelayMs(application, clock) !== null ||
          proposalExpiresAt(application) !== null
        assert.strictEqual(hasCall, jobOf(application) !== null, proposal.status)
      }
    })
  })

  it("JOB-10 each lender has queues of its own, and a queue gives the job back", () => {
    const id = quoteId(7)
    for (const queue of queuesOf(["parana", "qi-1", "Not a code"])) {
      const job = jobInQueue(queue, id)
      assert(job !== undefined, queue)
      assert.deepStrictEqual([queueOf(job), job.id], [queue, id])
    }
    assert.deepStrictEqual(queuesOf(["qi"]), ["quote", "contract", "patience", "quote:qi", "contract:qi"])
    const unknown = ["other", "quote:", "patience:qi", "quote:qi:1"].map((queue) => jobInQueue(queue, id))
    assert.deepStrictEqual(unknown, [undefined, undefined, undefined, undefined])
  })

  it("the name of a job contains its kind and its id", () => {
    const names = jobKinds.map((kind) => jobName({ kind, id: quoteId(7) as never }))
    assert.deepStrictEqual(names, jobKinds.map((kind) => `${kind}/${quoteId(7)}`))
  })
})
