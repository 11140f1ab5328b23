import { assert, describe, it } from "@effect/vitest"
import { Lender } from "@lastro/domain/lender"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type QuoteId } from "@lastro/domain/values"
import { storeRootPartner, usualAnswer } from "@lastro/testkit"
import { Clock, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import { makeClock } from "../clock.ts"
import { waitUntil } from "../coordination.ts"
import { migratedDatabase } from "../postgres.ts"
import { awaitQuote, openApplication } from "./fixtures.ts"
import { postgresNode, startNode, startOnlyProcess } from "./nodes.ts"
import { countQuoteRequests, makeScriptedLender, neverAnswer } from "./scriptedLender.ts"

/** Makes a database and a lender, and starts nodes with labels on them, with a clock that may be ahead. */
const makeCluster = Effect.gen(function*() {
  const url = yield* migratedDatabase
  const { lender, script } = yield* makeScriptedLender
  const requests: Array<readonly [node: string, quote: string]> = []
  return {
    url,
    script,
    node: (node: string, ahead_ms = 0) => {
      const recordRequests = Effect.map(Lender, (real) =>
        Lender.of({
          ...real,
          quote: (request) =>
            Effect.suspend(() => {
              requests.push([node, request.quote_id])
              return real.quote(request)
            })
        }))
      const layer = postgresNode(url, Layer.provide(Layer.effect(Lender, recordRequests), lender), { node })
      return Effect.clockWith((live) =>
        Effect.provideService(
          startNode(layer),
          Clock.Clock,
          makeClock(live, () => live.currentTimeMillisUnsafe() + ahead_ms)
        )
      )
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

describe.concurrent("nodes on one PostgreSQL", () => {
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
      const [stopped] = yield* other.run(
        SqlClient.SqlClient.use((sql) => sql<{ readonly id: string }>`select id from node where label = 'one'`)
      )
      yield* one.stop
      const kept = yield* other.run(
        SqlClient.SqlClient.use((sql) => sql`select id from job where owner = ${stopped?.id}`)
      )
      assert.deepStrictEqual(kept, [], "every job is given back and need not wait for its lease to expire")
      yield* other.run(awaitQuotes(applications))
    }), 60_000)

  it.live("with the same label run each job once", () =>
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

  it.live("T60 take over the jobs of a process that froze", () =>
    Effect.gen(function*() {
      const { node, script, countRequests, url } = yield* makeCluster
      const frozen = spawn(process.execPath, [fileURLToPath(new URL("./dyingNode.ts", import.meta.url)), url], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => frozen.kill("SIGKILL")))
      const [line] = yield* Effect.promise(() => once(frozen.stdout, "data") as Promise<[Buffer]>)
      frozen.kill("SIGSTOP")
      const other = yield* node("other")
      const quote = String(line).trim() as QuoteId
      const found = yield* other.run(Effect.flatMap(ApplicationRepository, ({ ofQuote }) => ofQuote(quote)))
      const application = Option.getOrThrow(found)
      yield* script.setQuoteAnswers(usualAnswer)
      yield* other.run(awaitQuote(application))
      assert.deepStrictEqual(yield* countRequests([application]), [1])
    }), 60_000)

  it.live(
    "T72 a node whose clock is an hour ahead is not ready and runs no job; another node runs them by its own clock",
    () =>
      Effect.gen(function*() {
        const { node, nodesOf, url } = yield* makeCluster
        const starter = yield* startNode(startOnlyProcess(url))
        const early = yield* starter.run(Effect.flatMap(storeRootPartner(), (root) => openApplications(root, 2)))
        const ahead = yield* node("ahead", 3_600_000)
        const { problem } = yield* ahead.run(WorkRunner)
        yield* waitUntil("the node notices", Effect.map(problem, (text) => text?.includes("3600 s ahead of") === true))
        const right = yield* node("right")
        const root = yield* right.run(storeRootPartner())
        const applications = [
          ...yield* right.run(openApplications(root, 4)),
          ...yield* ahead.run(openApplications(root, 4))
        ]
        yield* right.run(awaitQuotes([...early, ...applications]))
        assert.deepStrictEqual(nodesOf([...early, ...applications]), new Set(["right"]))
        assert.isTrue(yield* right.run(Effect.flatMap(WorkRunner, ({ isReady }) => isReady)))
      }),
    60_000
  )

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
    }), 60_000)
})
