import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { parseUuid } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Redacted, Result } from "effect"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { repeatInParallel } from "../suite/transactions.ts"

const many = 1000

/** Contract cases for IdGenerator. */
export const idGeneratorCases: ContractCases<IdGenerator> = (it) => {
  it("`next` returns unique UUIDs of version 7 in canonical form and ascending order", function*() {
    const ids = yield* Effect.replicateEffect((yield* IdGenerator).next, many)
    for (const id of ids) {
      assert.deepStrictEqual(parseUuid(id), Result.succeed(id))
      assert.match(id, /^.{14}7.{4}[89ab]/)
    }
    assert.deepStrictEqual(ids, ids.toSorted())
    assert.strictEqual(new Set(ids).size, many)
  })

  it("`next` returns unique ids to concurrent callers", function*() {
    const { next } = yield* IdGenerator
    const ids = yield* repeatInParallel(many, next)
    assert.strictEqual(new Set(ids).size, many)
  })
}

/** Contract cases for SecretGenerator. */
export const secretGeneratorCases: ContractCases<SecretGenerator> = (it) => {
  it("`next` returns unique secrets of 32 to 128 characters of [A-Za-z0-9_-]", function*() {
    const { next } = yield* SecretGenerator
    const secrets = (yield* Effect.replicateEffect(next, many)).map(Redacted.value)
    for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9_-]{32,128}$/)
    assert.strictEqual(new Set(secrets).size, many)
  })
}
