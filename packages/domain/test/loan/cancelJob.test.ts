import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { jobOf } from "../../src/jobs/jobOf.ts"
import { isUnfinished } from "../../src/loan/ApplicationStatus.ts"
import { isUnknownToLender } from "../../src/loan/decideCancel.ts"
import { decideCancelJob } from "../../src/loan/decideCancelJob.ts"
import { evolveApplication } from "../../src/loan/evolve.ts"
import { forHistories } from "./randomHistories.ts"

describe("decideCancelJob", () => {
  it("JOB-07 ends the job that an application needs, and never one of a contract that the lender may have", () => {
    const seen = new Set<string>()
    forHistories((steps) => {
      for (const { after: application, at } of steps) {
        const job = jobOf(application)
        if (job === null) continue
        const decided = decideCancelJob(application, { _tag: "CancelJob", at, job })
        const { proposal } = application
        const isAllowed = proposal === null || isUnknownToLender(proposal)
        seen.add(`${job.kind} ${isAllowed}`)
        assert.strictEqual(Result.isSuccess(decided), isAllowed)
        if (Result.isFailure(decided)) continue
        const cancelled = decided.success.reduce(evolveApplication, application)
        assert.isFalse(isUnfinished(cancelled))
        assert.isNull(jobOf(cancelled))
        assert.deepStrictEqual(
          decideCancelJob(cancelled, { _tag: "CancelJob", at, job: { ...job, kind: "quote" } as typeof job }),
          Result.succeed([])
        )
      }
    })
    assert.includeMembers([...seen], ["quote true", "contract true", "contract false"])
  })
})
