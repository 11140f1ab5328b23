import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { waitUntil } from "../coordination.ts"
import { openApplication } from "./fixtures.ts"
import { pgliteNode, postgresNode, startNode } from "./nodes.ts"
import { countQuoteRequests, makeScriptedLender, neverAnswer } from "./scriptedLender.ts"

// Starts a node on the database in the first argument and opens an application. Prints the id of its quote once the lender,
// which never answers, has received the request. Runs until it is killed.
const database = process.argv[2] ?? ""

const program = Effect.gen(function*() {
  const { lender, script } = yield* makeScriptedLender
  yield* script.setQuoteAnswers(neverAnswer)
  const node = yield* database.startsWith("postgres:")
    ? startNode(postgresNode(database, lender))
    : startNode(pgliteNode(database, lender))
  const application = yield* node.run(Effect.flatMap(storeRootPartner(), (root) => openApplication(root)))
  yield* waitUntil(
    "the lender receives the request",
    Effect.map(countQuoteRequests(script, application), (times) => times === 1)
  )
  process.stdout.write(`${application.quotes[0].quote_id}\n`)
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
