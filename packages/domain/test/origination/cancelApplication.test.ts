import { assert, describe, it } from "@effect/vitest"
import { ScriptedLender, storeContractedApplication } from "@lastro/testkit"
import { Effect } from "effect"
import { Lender } from "../../src/lender/Lender.ts"
import { cancelApplication } from "../../src/origination/CancelApplication.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { callerOf, loadApplication, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"

describe("cancelApplication", () => {
  it.effect("FGTS-30 LENDER-20 a proposal that was never submitted is cancelled without a call to a lender that hangs", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { aa, aAdmin } = yield* storeTwoTrees
      const application = yield* storeContractedApplication(aa, { at: yield* currentTimestamp })
      const writing = yield* permit(yield* callerOf(aAdmin), "fgts:write")
      const hanging = Lender.of({
        ...yield* Lender,
        exits: Effect.die("the lender was called"),
        knownExits: Effect.succeed(null)
      })
      yield* Effect.provideService(
        cancelApplication(writing, application.application_id, { reason: "OTHER" }),
        Lender,
        hanging
      )
      assert.strictEqual((yield* loadApplication(application)).proposal?.status, "CANCELLED")
      assert.isEmpty(yield* (yield* ScriptedLender).calls)
    })))
})
