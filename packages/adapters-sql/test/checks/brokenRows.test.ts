import { assert, it } from "@effect/vitest"
import {
  answerWithOffers,
  recordContractStatus,
  requestAnotherQuote,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeRootPartner
} from "@lastro/testkit"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { checkInvariants, checkWork } from "../../src/index.ts"
import { postgresWithoutFolder } from "../databases.ts"

/** The invariant of an application whose facts cannot be read. */
const readable = "The stored facts of an application can be read"

/** The JSON columns with facts, by table. `$` is the id of the application. */
const factColumns = {
  "application.customer": "application where id = $",
  "application.kyc": "application where id = $",
  "application.cancellation": "application where id = $",
  "application.requirements": "application where id = $",
  "application.listed": "application where id = $",
  "quote.facts": "quote where application_id = $",
  "proposal.facts": "proposal where application_id = $",
  "proposal.list_item": "proposal where application_id = $"
} as const

type FactColumn = keyof typeof factColumns

/** Replaces a member of a JSON value at a path of indexes into its members. An empty path replaces the whole value. */
const replaceAt = (value: unknown, [first, ...rest]: ReadonlyArray<number>, by: unknown): unknown => {
  if (first === undefined || typeof value !== "object" || value === null) return by
  const keys = Object.keys(value)
  const key = keys[first % Math.max(keys.length, 1)]
  if (key === undefined) return by
  const member: unknown = Reflect.get(value, key)
  const replaced = replaceAt(member, rest, by)
  if (Array.isArray(value)) return value.map((one, index) => String(index) === key ? replaced : one)
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  return replaced === undefined ? others : { ...others, [key]: replaced }
}

/** A stored JSON value of any shape. Undefined removes the member. */
const replacement = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, {}, [], "", "x", -1, 1e300, true, "0000-00-00", [[null]]),
  fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value).replaceAll("\\u0000", "")))
)

const damage = fc.record({
  column: fc.constantFrom(...Object.keys(factColumns) as ReadonlyArray<FactColumn>),
  path: fc.array(fc.nat(20), { maxLength: 5 }),
  by: replacement
})

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })(
  "a broken row in PostgreSQL",
  (it) => {
    /** Stores one application in each stage. Returns their ids. */
    const storeAll = Effect.gen(function*() {
      const partner = yield* storeRootPartner()
      const accepted = yield* storeContractedApplication(partner)
      const contract = yield* saveApplication(accepted, recordContractStatus(accepted, "AWAITING_SIGNATURE"))
      const opened = yield* storeApplication(partner)
      const offered = yield* saveApplication(opened, yield* answerWithOffers(opened))
      const requoted = yield* saveApplication(offered, yield* requestAnotherQuote(offered))
      return [contract.application_id, requoted.application_id]
    })

    /** Checks a damaged database, and rolls the damage back. Returns the findings, or null if the database refuses the damage. */
    const findingsAfter = Effect.fnUntraced(function*<E>(damages: Effect.Effect<unknown, E, SqlClient.SqlClient>) {
      const sql = yield* SqlClient.SqlClient
      const checked = Effect.gen(function*() {
        if (Exit.isFailure(yield* Effect.exit(sql.withTransaction(damages)))) return yield* Effect.fail({ found: null })
        const found = yield* Effect.exit(Effect.tap(checkInvariants, checkWork))
        return yield* Effect.fail({ found })
      })
      const { found } = yield* Effect.flip(sql.withTransaction(checked)).pipe(
        Effect.flatMap((error) => "found" in error ? Effect.succeed(error) : Effect.die(error))
      )
      if (found === null) return null
      if (Exit.isFailure(found)) return yield* Effect.failCause(found.cause)
      return found.value
    })

    it.effect.each<readonly [string, string]>([
      ["no quote", "delete from quote where application_id = $"],
      ["a quote without facts", "update quote set facts = 'null' where application_id = $"],
      ["a quote that is a text", "update quote set facts = '\"x\"' where application_id = $"],
      [
        "offers that are no list",
        "update quote set facts = jsonb_set(facts::jsonb, '{offers}', '7') where application_id = $"
      ],
      ["a customer that is a list", "update application set customer = '[]' where id = $"],
      ["an endless creation", "update application set created_at = 'infinity' where id = $"],
      ["an endless change", "update application set updated_at = '-infinity' where id = $"],
      ["a time that JavaScript cannot represent", "update application set updated_at = '294276-12-31' where id = $"],
      ["an endless offer", "update application set live_until = 'infinity', created_at = 'infinity' where id = $"]
    ])("is reported: %s", ([, statement]) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const ids = yield* storeAll
        for (const id of ids) {
          const findings = yield* findingsAfter(sql.unsafe(statement.replaceAll("$", `'${id}'`)))
          const reported = findings?.filter(({ invariant }) => invariant === readable)
          assert.deepStrictEqual(reported, [{ invariant: readable, count: 1, examples: [id] }])
        }
        assert.deepStrictEqual(yield* checkInvariants, [])
      }))

    it.effect("never stops the check, whatever is stored, and is named by its id or is as good as before", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const ids = yield* storeAll
        const context = yield* Effect.context<SqlClient.SqlClient>()
        const property = fc.asyncProperty(
          fc.nat(1),
          fc.array(damage, { minLength: 1, maxLength: 3 }),
          (which, damages) =>
            Effect.runPromiseWith(context)(Effect.gen(function*() {
              const id = ids[which] ?? ""
              const inflict = Effect.forEach(damages, ({ by, column, path }) =>
                Effect.gen(function*() {
                  const [table = "", name = ""] = column.split(".")
                  const where = factColumns[column].replaceAll("$", `'${id}'`)
                  const [stored] = yield* sql.unsafe<{ readonly value: unknown }>(
                    `select ${name} as value from ${where}`
                  )
                  if (stored === undefined) return
                  const text = JSON.stringify(replaceAt(stored.value, path, by) ?? null)
                  yield* sql.unsafe(
                    `update ${table} set ${name} = $1::json where ${where.slice(where.indexOf(" where ") + 7)}`,
                    [text]
                  )
                }))
              const findings = yield* findingsAfter(inflict)
              for (const finding of findings ?? []) assert.include(finding.examples.join(), id, JSON.stringify(finding))
            }))
        )
        yield* Effect.promise(() => fc.assert(property, { numRuns: 20 }))
        assert.deepStrictEqual(yield* checkInvariants, [])
      }))
  }
)
