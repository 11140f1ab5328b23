// Runs after an installation: initialises the embedded database once, so that the first start has only to copy it.
import { join } from "node:path"
import { startPglite } from "../packages/adapters-sql/src/database/pglite/startPglite.ts"

const pglite = await startPglite({ cacheFolder: join(import.meta.dirname, "..", "node_modules", ".cache", "lastro") })
await pglite.close()
