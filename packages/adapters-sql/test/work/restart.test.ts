import { assert, describe, it } from "@effect/vitest"
import { ApplicationRepository, type QuoteId } from "@lastro/domain"
import { givenRoot, usualAnswer } from "@lastro/testkit"
import { Effect, Option, type Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { WorkRunner } from "../../src/work/WorkRunner.ts"
import { freshDatabase } from "../postgres.ts"
import { openedApplication, untilQuoted } from "./fixtures.ts"
import { pgliteNode, postgresNode, started } from "./nodes.ts"
import { never, scripted, timesAsked } from "./scriptedLender.ts"
import { until } from "./until.ts"

/** A folder of its own, removed when the scope closes. */
const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Has another process open an application and ask the lender for its quote, kills it, and tells of which quote. */
const diedAt = (where: string): Effect.Effect<QuoteId> =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("./dyingNode.ts", import.meta.url)), where], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const [line] = await once(child.stdout, "data") as [Buffer]
    child.kill("SIGKILL")
    await once(child, "exit")
    return String(line).trim() as QuoteId
  })

const databases = [["PostgreSQL", freshDatabase, postgresNode], ["PGlite", folder, pgliteNode]] as const

describe("durable work", () => {
  for (const [name, place, node] of databases) {
    it.live(`on ${name} goes on after a clean end with what was being done`, () =>
      Effect.gen(function*() {
        const where = yield* place
        const { lender, script } = yield* scripted
        yield* script.answersQuotes(never)
        const first = yield* started(node(where, lender))
        const runner = yield* first.run(WorkRunner)
        yield* until("the runner is ready", runner.isReady)
        const application = yield* first.run(Effect.flatMap(givenRoot(), (root) => openedApplication(root)))
        yield* until("the lender is asked", Effect.map(timesAsked(script, application), (times) => times === 1))
        yield* first.stop
        assert.isFalse(yield* runner.isReady)
        yield* script.answersQuotes(usualAnswer)
        const second = yield* started(node(where, lender))
        yield* second.run(untilQuoted(application))
        assert.strictEqual(yield* timesAsked(script, application), 2)
      }), 60_000)

    it.live(`on ${name} goes on after the death of its process`, () =>
      Effect.gen(function*() {
        const where = yield* place
        const quote = yield* diedAt(where)
        const { lender, script } = yield* scripted
        const next = yield* started(node(where, lender))
        const found = yield* next.run(Effect.flatMap(ApplicationRepository, ({ ofQuote }) => ofQuote(quote)))
        const application = Option.getOrThrow(found)
        yield* next.run(untilQuoted(application))
        assert.strictEqual(yield* timesAsked(script, application), 1)
      }), 60_000)
  }
})
