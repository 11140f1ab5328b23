import { layerScriptedLender } from "@lastro/testkit"
import { durableNodesSuite, type WorkNode, WorkNodes } from "@lastro/testkit/suites"
import { Effect, Layer } from "effect"
import { concurrentSuites } from "../../../testkit/test/suites/concurrentSuites.ts"
import { migratedDatabase } from "../postgres.ts"
import { startProxy } from "../proxy.ts"
import { postgresNode } from "./nodes.ts"

// A file of its own: the embedded database would keep this process from reading responses in time.

/** A node on a database, which a proxy can cut off. */
const nodeBehindProxy = Effect.fnUntraced(function*(url: string) {
  const proxy = yield* startProxy(url)
  const ports = yield* Layer.build(postgresNode(proxy.url, layerScriptedLender, { statementTimeout: "1 second" }))
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
