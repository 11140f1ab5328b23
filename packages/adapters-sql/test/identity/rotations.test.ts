import { assert, it } from "@effect/vitest"
import { type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { createApiClient, rotateApiClient } from "@lastro/domain/operator"
import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { freshId, storeRootPartner } from "@lastro/testkit"
import { Effect, Layer, Redacted, Result } from "effect"
import { rounds } from "../../../../test/rounds.ts"
import { makeBarrier } from "../coordination.ts"
import { postgres } from "../databases.ts"

const hashOf = (secret: Redacted.Redacted) => Effect.succeed(`$not-secure$${Redacted.value(secret)}` as PasswordHash)

const ports = Layer.mergeAll(
  Layer.succeed(IdGenerator, { next: freshId }),
  Layer.succeed(SecretGenerator, { next: Effect.map(freshId, Redacted.make) }),
  Layer.succeed(PasswordHasher, { hash: hashOf, hashGenerated: hashOf, verify: () => Effect.succeed(false) })
)

const database = Layer.merge(postgres({ lockTimeout: "20 seconds", maxConnections: 4 }), ports)

it.layer(database, { excludeTestServices: true, timeout: "1 minute" })("concurrent rotations in PostgreSQL", (it) => {
  it.effect("CLIENT-07 one of several concurrent rotations succeeds, so that no valid secret ends", () =>
    Effect.gen(function*() {
      const partner = yield* storeRootPartner()
      for (let round = 0; round < rounds; round++) {
        const { client: { client_id } } = yield* createApiClient(partner.partner_id, "viewer")
        const ready = yield* makeBarrier(4)
        const rotate = Effect.andThen(ready, Effect.result(rotateApiClient(client_id)))
        const results = yield* Effect.all(Array.from({ length: 4 }, () => rotate), { concurrency: "unbounded" })
        assert.sameMembers(
          results.map((result) => Result.isSuccess(result) ? "done" : result.failure._tag),
          ["done", "EarlierSecretValid", "EarlierSecretValid", "EarlierSecretValid"]
        )
      }
    }))
})
