import { layerScriptedLender } from "@lastro/testkit"
import { durableWorkSuite } from "@lastro/testkit/suites"
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
