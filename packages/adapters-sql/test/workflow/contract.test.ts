import { layerScriptedLender } from "@lastro/testkit"
import { durableWorkSuite } from "@lastro/testkit/contracts"
import { Effect, Layer } from "effect"
import { freshDatabase } from "../postgres.ts"
import { pgliteNode, postgresNode } from "./nodes.ts"

durableWorkSuite(
  "PostgreSQL",
  Layer.unwrap(Effect.map(freshDatabase, (url) => postgresNode(url, layerScriptedLender))),
  { timeout: "1 minute" }
)

durableWorkSuite("PGlite", pgliteNode("memory", layerScriptedLender), { units: "serialised", timeout: "1 minute" })
