import { assert, describe, it } from "@effect/vitest"
import { aCaller } from "@lastro/testkit"
import { Effect } from "effect"
import { may } from "../../src/console/Visit.ts"

describe("the console", () => {
  it.effect("AUTH-23 offers nothing that somebody has added to the public permissions of a user", () =>
    Effect.gen(function*() {
      const caller = yield* aCaller().inGroup("viewer")
      assert.isTrue(may({ caller }, "users:read"))
      Set.prototype.add.call(caller.permissions, "users:write")
      assert.isFalse(may({ caller }, "users:write"))
    }))
})
