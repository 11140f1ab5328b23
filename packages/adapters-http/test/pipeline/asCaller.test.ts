import { assert, describe, it } from "@effect/vitest"
import { callerKey } from "@lastro/domain/access"
import { PrincipalRepository, TokenSigner } from "@lastro/domain/identity"
import { storeRootPartner } from "@lastro/testkit"
import { Effect, Latch } from "effect"
import { type Slot } from "../../src/admission/Slot.ts"
import { callerOfTenant } from "../../src/admission/WaitingLine.ts"
import { readAsCaller, runAsCaller } from "../../src/pipeline/asCaller.ts"
import { givenCaller } from "../given.ts"
import { withServer } from "../harness.ts"

/** A slot that records for whom it was counted last. */
const recordingSlot = () => {
  const counted = { for: "" }
  const slot: Slot = {
    waited: 0,
    claim: () => undefined,
    isClaimed: () => true,
    release: () => undefined,
    pause: () => undefined,
    resume: (onAdmitted) => onAdmitted(),
    identify: (caller) => {
      counted.for = caller
      return false
    }
  }
  return { counted, slot }
}

describe("runAsCaller", () => {
  it.effect("T62 every request of a new token is counted for the tenant, also if the first ones come together", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { token, user } = yield* givenCaller(root)
      const claims = yield* (yield* TokenSigner).verify(token)
      const arrived = yield* Latch.make()
      const slots = Array.from({ length: 3 }, recordingSlot)
      const key = callerKey({ kind: "user", subject: user.user_id })
      let waiting = 0
      const requests = Effect.forEach(
        slots,
        ({ slot }) => runAsCaller(claims, key, slot, () => Effect.void),
        {
          concurrency: "unbounded"
        }
      )
      // No caller is read before the last request has asked for it.
      yield* Effect.updateService(requests, PrincipalRepository, (principals) => ({
        ...principals,
        find: (...asked) =>
          Effect.suspend(() => {
            waiting += 1
            if (waiting === slots.length) arrived.openUnsafe()
            return Effect.andThen(arrived.await, principals.find(...asked))
          })
      }))
      // A later request knows the tenant before it reads anything.
      const later = recordingSlot()
      const known: Array<string> = []
      const read = () => Effect.sync(() => known.push(later.counted.for))
      yield* readAsCaller(claims, key, later.slot, read, (_, result) => result)
      for (const { counted } of slots) assert.strictEqual(counted.for, callerOfTenant(root.partner_id, key))
      assert.deepStrictEqual(known, [callerOfTenant(root.partner_id, key)])
    })))
})
