import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import fc from "fast-check"
import { keptText } from "../../src/database/precompileStatement.ts"

const sql = Statement.make(Effect.never, PgClient.makeCompiler(), [], undefined)

const names = ["one", "two", "three"] as const

type Values = Readonly<Record<typeof names[number], unknown>>

/** A statement that uses its parameters in this order, as often as they are named. */
const naming = (order: ReadonlyArray<keyof Values>) => (values: Values) =>
  sql<{ readonly a: string }>`select a from b where ${sql.and(order.map((name) => sql`c = ${values[name]}`))} limit 20`

const value = fc.oneof(fc.string(), fc.uuid(), fc.bigInt(), fc.integer(), fc.boolean(), fc.constant(null))

describe("a statement whose text is kept", () => {
  it("is the statement it was made from, whatever its parameters are and however often they are used", () => {
    fc.assert(fc.property(
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }),
      fc.array(fc.record({ one: value, two: value, three: value }), { minLength: 1, maxLength: 4 }),
      (order, runs) => {
        const kept = keptText(sql, names, naming(order))
        for (const values of runs) assert.deepStrictEqual(kept(values).compile(), naming(order)(values).compile())
      }
    ))
  })

  it("is refused with a parameter that is always the same, which nobody could tell from one that is not", () => {
    assert.throws(() => keptText(sql, ["one"], ({ one }) => sql`select a from b where c = ${one} and d = ${7}`))
  })
})
