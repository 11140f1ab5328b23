import { layerScriptedLender } from "@lastro/testkit"
import { durableNodesSuite, durableWorkSuite, type WorkNode, WorkNodes } from "@lastro/testkit/suites"
import { Effect, Layer } from "effect"
import { concurrentSuites } from "../../../testkit/test/suites/concurrentSuites.ts"
import { migratedDatabase } from "../postgres.ts"
import { startProxy } from "../proxy.ts"
import { pgliteNode, postgresNode } from "./nodes.ts"

durableWorkSuite(
  "PostgreSQL",
  Layer.unwrap(Effect.map(migratedDatabase, (url) => postgresNode(url, layerScriptedLender))),
  concurrentSuites
)

/** A node on a database, which a proxy can cut off. */
const nodeBehindProxy = Effect.fnUntraced(function*(url: string) {
  const proxy = yield* startProxy(url)
  const ports = yield* Layer.build(postgresNode(proxy.url, layerScriptedLender, { statementTimeout: "4 seconds" }))
  const node: WorkNode = {
    run: (effect) => Effect.provide(effect, ports),
    isolate: Effect.sync(() => proxy.swallow()),
    heal: Effect.sync(() => {
      proxy.heal()
      // The data that was discarded is missing on the open connections.
      proxy.cut()
    })
  }
  return node
})

durableNodesSuite(
  "PostgreSQL",
  Layer.effect(
    WorkNodes,
    Effect.gen(function*() {
      const url = yield* migratedDatabase
      return WorkNodes.of({ one: yield* nodeBehindProxy(url), other: yield* nodeBehindProxy(url) })
    })
  ),
  concurrentSuites
)

durableWorkSuite("PGlite", pgliteNode("memory", layerScriptedLender), concurrentSuites, {
  units: "serialised"
})
