import { assert, describe, it } from "@effect/vitest"
import { CommonPasswords } from "@lastro/domain/identity"
import { commonPasswordsSuite } from "@lastro/testkit/suites"
import { dictionary } from "@zxcvbn-ts/language-common"
import { Effect } from "effect"
import * as runner from "vitest"
import { layerCommonPasswords } from "../../src/security/PasswordHasher.ts"

commonPasswordsSuite("zxcvbn-ts", layerCommonPasswords, runner)

describe("CommonPasswords", () => {
  it.effect("includes the 10 000 most common passwords", () =>
    Effect.gen(function*() {
      const { includes } = yield* CommonPasswords
      const most = dictionary["passwords-common"].slice(0, 10_000)
      assert.strictEqual(most.length, 10_000)
      for (const password of most) assert.isTrue(yield* includes(password.toUpperCase()), password)
    }).pipe(Effect.provide(layerCommonPasswords)))
})
