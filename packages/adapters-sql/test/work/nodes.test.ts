import { assert, describe, it } from "@effect/vitest"
import { type Application } from "@lastro/domain/fgts"
import { Lender } from "@lastro/domain/lender"
import { type PartnerDetail } from "@lastro/domain/partner"
import { storeRootPartner, usualAnswer } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { waitUntil } from "../coordination.ts"
import { freshDatabase } from "../postgres.ts"
import { awaitQuote, openApplication } from "./fixtures.ts"
import { postgresNode, startNode, startOnlyProcess } from "./nodes.ts"
import { countQuoteRequests, makeScriptedLender, neverAnswer } from "./scriptedLender.ts"

/** Makes a database and a lender, and starts named nodes on them. */
const makeCluster = Effect.gen(function*() {
  const url = yield* freshDatabase
  const { lender, script } = yield* makeScriptedLender
  const requests: Array<readonly [node: string, quote: string]> = []
  return {
    url,
    script,
    node: (node: string) => {
      const recordRequests = Effect.map(Lender, (real) =>
        Lender.of({
          ...real,
          quote: (request) =>
            Effect.suspend(() => {
              requests.push([node, request.quote_id])
              return real.quote(request)
            })
        }))
      return startNode(postgresNode(url, Layer.provide(Layer.effect(Lender, recordRequests), lender), { node }))
    },
    /** The nodes that requested these quotes from the lender. */
    nodesOf: (applications: ReadonlyArray<Application>) => {
      const ids: ReadonlySet<string> = new Set(applications.map(({ quotes }) => quotes[0].quote_id))
      return new Set(requests.flatMap(([node, quote]) => ids.has(quote) ? [node] : []))
    },
    /** The number of requests to the lender for each of these quotes. */
    countRequests: (applications: ReadonlyArray<Application>) =>
      Effect.forEach(applications, (application) => countQuoteRequests(script, application))
  }
})

const openApplications = (partner: PartnerDetail, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => openApplication(partner), { concurrency: 4 })

const awaitQuotes = (applications: ReadonlyArray<Application>) =>
  Effect.forEach(applications, (application) => awaitQuote(application), { discard: true })

/** Reads the machine ids of the processes that created messages or replies. */
const readMachineIds = (table: "messages" | "replies") =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<{ readonly number: number }>`
      select distinct (id >> 12 & 1023)::int as number from ${sql(`lastro_work_${table}`)}`)

describe("nodes on one PostgreSQL", () => {
  it.live("share the jobs and run each of them once", () =>
    Effect.gen(function*() {
      const { nodesOf, node, countRequests } = yield* makeCluster
      const one = yield* node("one")
      const other = yield* node("other")
      const root = yield* one.run(storeRootPartner())
      yield* waitUntil(
        "both nodes execute jobs",
        Effect.gen(function*() {
          const applications = yield* one.run(openApplications(root, 8))
          yield* other.run(awaitQuotes(applications))
          return nodesOf(applications).size === 2
        })
      )
      const applications = [
        ...yield* one.run(openApplications(root, 20)),
        ...yield* other.run(openApplications(root, 20))
      ]
      yield* one.run(awaitQuotes(applications))
      assert.deepStrictEqual(nodesOf(applications), new Set(["one", "other"]))
      assert.deepStrictEqual(yield* countRequests(applications), applications.map(() => 1))
    }), 60_000)

  it.live("take over the running jobs of a node that stops", () =>
    Effect.gen(function*() {
      const { node, script, countRequests } = yield* makeCluster
      yield* script.setQuoteAnswers(neverAnswer)
      const one = yield* node("one")
      const applications = yield* one.run(Effect.flatMap(storeRootPartner(), (root) => openApplications(root, 8)))
      yield* waitUntil(
        "every quote was requested",
        Effect.map(countRequests(applications), (all) => all.every((count) => count > 0))
      )
      const other = yield* node("other")
      yield* script.setQuoteAnswers(usualAnswer)
      yield* one.stop
      yield* other.run(awaitQuotes(applications))
    }), 60_000)

  it.live("with the same name run each job once", () =>
    Effect.gen(function*() {
      const { node, countRequests } = yield* makeCluster
      const one = yield* node("lastro")
      const other = yield* node("lastro")
      const root = yield* one.run(storeRootPartner())
      const [ofOne, ofOther] = yield* Effect.all([
        one.run(openApplications(root, 50)),
        other.run(openApplications(root, 50))
      ], {
        concurrency: 2
      })
      const applications = [...ofOne, ...ofOther]
      yield* one.run(awaitQuotes(applications))
      assert.deepStrictEqual(yield* countRequests(applications), applications.map(() => 1))
    }), 60_000)

  it.live("run the jobs of a process that only starts them", () =>
    Effect.gen(function*() {
      const { nodesOf, node, url } = yield* makeCluster
      const starter = yield* startNode(startOnlyProcess(url))
      const root = yield* starter.run(storeRootPartner())
      const early = yield* starter.run(openApplications(root, 3))
      const worker = yield* node("worker")
      yield* worker.run(awaitQuotes(early))
      const late = yield* starter.run(openApplications(root, 3))
      yield* worker.run(awaitQuotes(late))
      assert.deepStrictEqual(nodesOf([...early, ...late]), new Set(["worker"]))
      // Each process has its own machine id, so message ids are unique.
      assert.deepStrictEqual(yield* worker.run(readMachineIds("messages")), [{ number: 1 }])
      const [number, ...others] = yield* worker.run(readMachineIds("replies"))
      assert.isTrue(number !== undefined && number.number > 1 && number.number < 10)
      assert.deepStrictEqual(others, [])
    }), 60_000)
})
