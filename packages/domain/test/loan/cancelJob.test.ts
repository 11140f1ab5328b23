import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { jobsOf } from "../../src/jobs/Job.ts"
import { type Application } from "../../src/loan/Application.ts"
import { isUnfinished } from "../../src/loan/ApplicationStatus.ts"
import { isUnknownToLender } from "../../src/loan/decideCancel.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { decideOn } from "./examples.ts"
import { forHistories } from "./randomHistories.ts"

const jobOf = (application: Application) => jobsOf(application)[0] ?? null

describe("decideCancelJob", () => {
  it("JOB-07 ends the job that an application needs, and never one of a contract that the lender may have", () => {
    const seen = new Set<string>()
    forHistories((steps) => {
      for (const { after: application, at } of steps) {
        const job = jobOf(application)
        if (job === null) continue
        const decided = decideOn(application, { _tag: "CancelJob", at, job })
        const { proposal } = application
        const isAllowed = proposal === null || isUnknownToLender(proposal)
        seen.add(`${job.kind} ${isAllowed}`)
        assert.strictEqual(Result.isSuccess(decided), isAllowed)
        if (Result.isFailure(decided)) continue
        const cancelled = decided.success.reduce(evolve, application)
        assert.isFalse(isUnfinished(cancelled))
        assert.isNull(jobOf(cancelled))
        assert.deepStrictEqual(
          decideOn(cancelled, { _tag: "CancelJob", at, job: { ...job, kind: "quote" } as typeof job }),
          Result.succeed([])
        )
      }
    })
    assert.includeMembers([...seen], ["quote true", "contract true", "contract false"])
  })
})
