import { assert, it } from "@effect/vitest"
import { generateSigningKey } from "@lastro/adapters-http/security"
import { Effect } from "effect"

it.effect("T53 the id of a new signing key can be an argument of a command: it never begins with a hyphen", () =>
  Effect.gen(function*() {
    // One thumbprint in 64 begins with a hyphen.
    const keys = yield* Effect.replicateEffect(generateSigningKey, 400)
    assert.deepStrictEqual(keys.filter(({ kid }) => kid.startsWith("-")), [])
  }))
