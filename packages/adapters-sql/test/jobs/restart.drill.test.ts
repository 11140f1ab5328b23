import { assert, describe, it } from "@effect/vitest"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type QuoteId } from "@lastro/domain/values"
import { storeRootPartner, usualAnswer } from "@lastro/testkit"
import { Effect, Option } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { isOrdeal } from "../../../../test/rounds.ts"
import { WorkRunner } from "../../src/jobs/WorkRunner.ts"
import { waitUntil } from "../coordination.ts"
import { makeTemporaryFolder } from "../makeTemporaryFolder.ts"
import { migratedDatabase } from "../postgres.ts"
import { awaitQuote, openApplication } from "./fixtures.ts"
import { pgliteNode, postgresNode, startNode } from "./nodes.ts"
import { countQuoteRequests, makeScriptedLender, neverAnswer } from "./scriptedLender.ts"

/** Starts another process that opens an application, and kills it after it requested the quote. Returns the quote's id. */
const killDuringQuote = (database: string): Effect.Effect<QuoteId> =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("./dyingNode.ts", import.meta.url)), database], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [line] = await once(child.stdout, "data") as [Buffer]
    child.kill("SIGKILL")
    await once(child, "exit")
    return String(line).trim() as QuoteId
  })

const databases = [["PostgreSQL", migratedDatabase, postgresNode], ["PGlite", makeTemporaryFolder, pgliteNode]] as const

/** Each ending runs on one database, and in `pnpm ordeal:races` on both. The server's own restart test has the other pairs. */
const isTested = (name: string, ending: "shutdown" | "kill"): boolean =>
  isOrdeal || (name === "PGlite") === (ending === "shutdown")

describe.concurrent("durable jobs", () => {
  for (const [name, makeDatabase, node] of databases) {
    if (isTested(name, "shutdown")) {
      it.live(`on ${name} resume after a clean shutdown`, () =>
        Effect.gen(function*() {
          const database = yield* makeDatabase
          const { lender, script } = yield* makeScriptedLender
          yield* script.setQuoteAnswers(neverAnswer)
          const first = yield* startNode(node(database, lender))
          const runner = yield* first.run(WorkRunner)
          yield* waitUntil("the runner is ready", runner.isReady)
          const application = yield* first.run(Effect.flatMap(storeRootPartner(), (root) => openApplication(root)))
          yield* waitUntil(
            "the lender receives the request",
            Effect.map(countQuoteRequests(script, application), (times) => times === 1)
          )
          yield* first.stop
          assert.isFalse(yield* runner.isReady)
          yield* script.setQuoteAnswers(usualAnswer)
          const second = yield* startNode(node(database, lender))
          yield* second.run(awaitQuote(application))
          assert.strictEqual(yield* countQuoteRequests(script, application), 2)
        }), 60_000)
    }

    if (isTested(name, "kill")) {
      it.live(`on ${name} resume after their process was killed`, () =>
        Effect.gen(function*() {
          const database = yield* makeDatabase
          const quote = yield* killDuringQuote(database)
          const { lender, script } = yield* makeScriptedLender
          const next = yield* startNode(node(database, lender))
          const found = yield* next.run(Effect.flatMap(ApplicationRepository, ({ ofQuote }) => ofQuote(quote)))
          const application = Option.getOrThrow(found)
          yield* next.run(awaitQuote(application))
          assert.strictEqual(yield* countQuoteRequests(script, application), 1)
        }), 60_000)
    }
  }
})
