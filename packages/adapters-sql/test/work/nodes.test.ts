import { assert, describe, it } from "@effect/vitest"
import { type Application, Lender, type PartnerDetail } from "@lastro/domain"
import { givenRoot, usualAnswer } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabase } from "../postgres.ts"
import { openedApplication, untilQuoted } from "./fixtures.ts"
import { postgresNode, started, startingOnly } from "./nodes.ts"
import { never, scripted, timesAsked } from "./scriptedLender.ts"
import { until } from "./until.ts"

/** A database with a lender, and nodes on it by their names. */
const place = Effect.gen(function*() {
  const url = yield* freshDatabase
  const { lender, script } = yield* scripted
  const asked: Array<readonly [node: string, quote: string]> = []
  return {
    url,
    script,
    node: (node: string) => {
      const known = Effect.map(Lender, (real) =>
        Lender.of({
          ...real,
          quote: (request) =>
            Effect.suspend(() => {
              asked.push([node, request.quote_id])
              return real.quote(request)
            })
        }))
      return started(postgresNode(url, Layer.provide(Layer.effect(Lender, known), lender), { node }))
    },
    /** Which nodes asked the lender for these quotes. */
    askers: (applications: ReadonlyArray<Application>) => {
      const ids: ReadonlySet<string> = new Set(applications.map(({ quotes }) => quotes[0].quote_id))
      return new Set(asked.flatMap(([node, quote]) => ids.has(quote) ? [node] : []))
    },
    /** How often the lender was asked for each of these quotes. */
    times: (applications: ReadonlyArray<Application>) =>
      Effect.forEach(applications, (application) => timesAsked(script, application))
  }
})

const opened = (partner: PartnerDetail, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => openedApplication(partner), { concurrency: 4 })

const allQuoted = (applications: ReadonlyArray<Application>) =>
  Effect.forEach(applications, (application) => untilQuoted(application), { discard: true })

/** The numbers of the processes that gave orders, or the answers to them, their ids. */
const numbersOf = (table: "messages" | "replies") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<{ readonly number: number }>`
      select distinct (id >> 12 & 1023)::int as number from ${sql(`lastro_work_${table}`)}`)

describe("nodes on one PostgreSQL", () => {
  it.live("share the work, and do all of it once", () =>
    Effect.gen(function*() {
      const { askers, node, times } = yield* place
      const one = yield* node("one")
      const other = yield* node("other")
      const root = yield* one.run(givenRoot())
      yield* until(
        "both take part, which is a while after the second came",
        Effect.gen(function*() {
          const applications = yield* one.run(opened(root, 8))
          yield* other.run(allQuoted(applications))
          return askers(applications).size === 2
        })
      )
      const applications = [...yield* one.run(opened(root, 20)), ...yield* other.run(opened(root, 20))]
      yield* one.run(allQuoted(applications))
      assert.deepStrictEqual(askers(applications), new Set(["one", "other"]))
      assert.deepStrictEqual(yield* times(applications), applications.map(() => 1))
    }), 60_000)

  it.live("take over what one that stops was at", () =>
    Effect.gen(function*() {
      const { node, script, times } = yield* place
      yield* script.answersQuotes(never)
      const one = yield* node("one")
      const applications = yield* one.run(Effect.flatMap(givenRoot(), (root) => opened(root, 8)))
      yield* until("all are at it", Effect.map(times(applications), (all) => all.every((count) => count > 0)))
      const other = yield* node("other")
      yield* script.answersQuotes(usualAnswer)
      yield* one.stop
      yield* other.run(allQuoted(applications))
    }), 60_000)

  it.live("of one name do everything once", () =>
    Effect.gen(function*() {
      const { node, times } = yield* place
      const one = yield* node("lastro")
      const other = yield* node("lastro")
      const root = yield* one.run(givenRoot())
      const [ofOne, ofOther] = yield* Effect.all([one.run(opened(root, 50)), other.run(opened(root, 50))], {
        concurrency: 2
      })
      const applications = [...ofOne, ...ofOther]
      yield* one.run(allQuoted(applications))
      assert.deepStrictEqual(yield* times(applications), applications.map(() => 1))
    }), 60_000)

  it.live("do what a process starts that does none itself", () =>
    Effect.gen(function*() {
      const { askers, node, url } = yield* place
      const starter = yield* started(startingOnly(url))
      const root = yield* starter.run(givenRoot())
      const early = yield* starter.run(opened(root, 3))
      const worker = yield* node("worker")
      yield* worker.run(allQuoted(early))
      const late = yield* starter.run(opened(root, 3))
      yield* worker.run(allQuoted(late))
      assert.deepStrictEqual(askers([...early, ...late]), new Set(["worker"]))
      // Ids never meet, because processes are counted.
      assert.deepStrictEqual(yield* worker.run(numbersOf("messages")), [{ number: 1 }])
      const [number, ...others] = yield* worker.run(numbersOf("replies"))
      assert.isTrue(number !== undefined && number.number > 1 && number.number < 10)
      assert.deepStrictEqual(others, [])
    }), 60_000)
})
