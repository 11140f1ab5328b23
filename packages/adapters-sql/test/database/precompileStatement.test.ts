import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Statement } from "effect/sql"
import fc from "fast-check"
import { compileOnce } from "../../src/database/postgres/statements.ts"

const sql = Statement.make(Effect.never, PgClient.makeCompiler(), [], undefined)

const names = ["one", "two", "three"] as const

type Values = Readonly<Record<typeof names[number], unknown>>

/** Makes a statement that uses the named parameters in this order. */
const makeStatement = (order: ReadonlyArray<keyof Values>) => (values: Values) =>
  sql<{ readonly a: string }>`select a from b where ${sql.and(order.map((name) => sql`c = ${values[name]}`))} limit 20`

const value = fc.oneof(fc.string(), fc.uuid(), fc.bigInt(), fc.integer(), fc.boolean(), fc.constant(null))

describe("compileOnce", () => {
  it("equals the statement it was built from, for any order of parameters and any values", () => {
    fc.assert(fc.property(
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }),
      fc.array(fc.record({ one: value, two: value, three: value }), { minLength: 1, maxLength: 4 }),
      (order, runs) => {
        const compile = compileOnce(names, makeStatement(order))
        for (const values of runs) {
          const { parameters, text } = compile(values)
          assert.deepStrictEqual([text, parameters], makeStatement(order)(values).compile())
        }
      }
    ))
  })

  it("refuses a parameter that is not a placeholder", () => {
    assert.throws(() => compileOnce(["one"], ({ one }) => sql`select a from b where c = ${one} and d = ${7}`))
  })
})
