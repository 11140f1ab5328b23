import { availableParallelism, totalmem } from "node:os"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"
import { LongestFirst } from "./test/LongestFirst.ts"
import { isOrdeal, rounds } from "./test/rounds.ts"

// Tests start many processes that load the same modules. Compiling them takes longer than most of these processes run.
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(
  new URL("node_modules/.cache/lastro/compiled-tests", import.meta.url)
)

/**
 * Tests that kill, freeze, cut off or flood running servers and nodes, measure their memory, or build the artefact. They run by
 * `pnpm test:drills`, by name, and in `pnpm ordeal:races`.
 */
const drills = "**/*.drill.test.ts"
const isDrill = isOrdeal || process.argv.some((argument) => argument.includes(".drill"))

/** Tests that drive Chromium. They run by `pnpm test:browser` or by name, because not every machine has a browser. */
const browserTests = "**/*.browser.test.ts"
const isBrowser = process.argv.some((argument) => argument.includes(".browser"))

/**
 * The number of workers. One more than the processors, because tests also wait. Each worker with its servers takes up to
 * 3 GB. Drills and browser tests measure times, so they always have three.
 */
const workers = isDrill || isBrowser
  ? 3
  : Math.max(3, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 3e9), 8))

const excluded = [...configDefaults.exclude, ...isDrill ? [] : [drills], ...isBrowser ? [] : [browserTests]]

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    exclude: excluded,
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/globalSetup.ts"],
    pool: "forks",
    maxWorkers: workers,
    // Tests make much garbage that dies young. A larger space for it is collected less often.
    execArgv: ["--max-semi-space-size=64"],
    // Each worker imports effect once for all of its files. Importing it for each file takes longer than all tests together.
    isolate: false,
    // Node.js loads the source files itself, as it does in production. On a new machine, Vite would transform each of them first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    // CI runs the browser tests beside checks.
    testTimeout: isBrowser ? 180_000 : 60_000 * Math.max(1, rounds / 12),
    hookTimeout: 60_000
  }
})
