import { givenRoot } from "@lastro/testkit"
import { Effect } from "effect"
import { openedApplication } from "./fixtures.ts"
import { pgliteNode, postgresNode, started } from "./nodes.ts"
import { never, scripted, timesAsked } from "./scriptedLender.ts"
import { until } from "./until.ts"

// Opens an application on the database that the first argument names, says its quote's id once the lender, which never
// answers, was asked for it, and goes on until it is killed.
const where = process.argv[2] ?? ""

const program = Effect.gen(function*() {
  const { lender, script } = yield* scripted
  yield* script.answersQuotes(never)
  const node = yield* where.startsWith("postgres:")
    ? started(postgresNode(where, lender))
    : started(pgliteNode(where, lender))
  const application = yield* node.run(Effect.flatMap(givenRoot(), (root) => openedApplication(root)))
  yield* until("the lender is asked", Effect.map(timesAsked(script, application), (times) => times === 1))
  process.stdout.write(`${application.quotes[0].quote_id}\n`)
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
