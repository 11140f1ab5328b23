import { IdGenerator, parseUuid, SecretGenerator } from "@lastro/domain"
import { assert } from "chai"
import { Effect, Redacted, Result } from "effect"
import { type ContractCases } from "../suite/ContractSuite.ts"

const many = 1000

/** The contract of IdGenerator. */
export const idGeneratorCases: ContractCases<IdGenerator> = (it) => {
  it("ids are UUIDs of version 7 in canonical form, later ones sort after earlier ones, none comes twice", () =>
    Effect.gen(function*() {
      const ids = yield* Effect.replicateEffect((yield* IdGenerator).next, many)
      for (const id of ids) {
        assert.deepStrictEqual(parseUuid(id), Result.succeed(id))
        assert.match(id, /^.{14}7.{4}[89ab]/)
      }
      assert.deepStrictEqual(ids, ids.toSorted())
      assert.strictEqual(new Set(ids).size, many)
    }))

  it("no id comes twice to callers that ask at once", () =>
    Effect.gen(function*() {
      const { next } = yield* IdGenerator
      const ids = yield* Effect.all(Array.from({ length: many }, () => next), { concurrency: "unbounded" })
      assert.strictEqual(new Set(ids).size, many)
    }))
}

/** The contract of SecretGenerator. */
export const secretGeneratorCases: ContractCases<SecretGenerator> = (it) => {
  it("secrets are at least 32 characters of [A-Za-z0-9_-], and none comes twice", () =>
    Effect.gen(function*() {
      const { next } = yield* SecretGenerator
      const secrets = (yield* Effect.replicateEffect(next, many)).map(Redacted.value)
      for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9_-]{32,128}$/)
      assert.strictEqual(new Set(secrets).size, many)
    }))
}
