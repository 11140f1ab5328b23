import { layerScriptedLender } from "@lastro/testkit"
import { durableTurnsSuite, durableWorkSuite } from "@lastro/testkit/suites"
import { Effect, Layer } from "effect"
import { concurrentSuites } from "../../../testkit/test/suites/concurrentSuites.ts"
import { migratedDatabase } from "../postgres.ts"
import { pgliteNode, postgresNode } from "./nodes.ts"

durableWorkSuite(
  "PostgreSQL",
  Layer.unwrap(Effect.map(migratedDatabase, (url) => postgresNode(url, layerScriptedLender))),
  concurrentSuites
)

durableWorkSuite("PGlite", pgliteNode("memory", layerScriptedLender), concurrentSuites, {
  units: "serialised"
})

durableTurnsSuite(
  "PostgreSQL",
  Layer.unwrap(Effect.map(migratedDatabase, (url) => postgresNode(url, layerScriptedLender, { maxJobs: 1 }))),
  concurrentSuites
)

durableTurnsSuite("PGlite", pgliteNode("memory", layerScriptedLender, { maxJobs: 1 }), concurrentSuites, {
  units: "serialised"
})
