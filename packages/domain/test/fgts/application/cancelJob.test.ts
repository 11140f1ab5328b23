import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { isUnfinished } from "../../../src/fgts/application/ApplicationStatus.ts"
import { isUnknownToLender } from "../../../src/fgts/application/decideCancel.ts"
import { decideCancelJob } from "../../../src/fgts/application/decideCancelJob.ts"
import { evolveApplication } from "../../../src/fgts/application/evolve.ts"
import { jobOf } from "../../../src/fgts/work/jobOf.ts"
import { histories, playHistory, startTimes } from "../histories.ts"

const applications = fc.tuple(startTimes, histories).map(([begins, history]) => playHistory(begins, history))

describe("decideCancelJob", () => {
  it("JOB-07 ends the job that an application needs, and never one of a contract that the lender may have", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(applications, (steps) => {
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
      }),
      { numRuns: 100 }
    )
    assert.includeMembers([...seen], ["quote true", "contract true", "contract false"])
  })
})
