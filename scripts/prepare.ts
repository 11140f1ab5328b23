// Runs after `pnpm install`. Initialises the embedded database once and caches it, so that the first start is quick.
import { join } from "node:path"
import { startPglite } from "../packages/adapters-sql/src/database/pglite/startPglite.ts"

const pglite = await startPglite({ cacheFolder: join(import.meta.dirname, "..", "node_modules", ".cache", "lastro") })
await pglite.close()
