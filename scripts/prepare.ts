// Runs after `pnpm install`, so that the first start of the server is fast. Initializes the embedded database once and
// caches it. Bundles the server into one file.
import { join } from "node:path"
import { bundleProgram } from "../apps/server/src/program/bundleProgram.ts"
import { serverProject } from "../apps/server/src/program/Project.ts"
import { startPglite } from "../packages/adapters-sql/src/database/pglite/startPglite.ts"

const pglite = await startPglite({ cacheFolder: join(import.meta.dirname, "..", "node_modules", ".cache", "lastro") })
await pglite.close()

// Ignore a failure, because the server can also run from its source files.
await bundleProgram(serverProject).catch((cause: unknown) => {
  process.stderr.write(`The server was not bundled, so it starts more slowly: ${String(cause)}\n`)
})
