import { layerScriptedLender } from "@lastro/testkit"
import { durableWorkSuite } from "@lastro/testkit/contracts"
import { Effect, Layer } from "effect"
import * as runner from "vitest"
import { freshDatabase } from "../postgres.ts"
import { pgliteNode, postgresNode } from "./nodes.ts"

durableWorkSuite(
  "PostgreSQL",
  Layer.unwrap(Effect.map(freshDatabase, (url) => postgresNode(url, layerScriptedLender))),
  runner
)

durableWorkSuite("PGlite", pgliteNode("memory", layerScriptedLender), runner, {
  units: "serialised"
})
