// Writes the OpenAPI documents of the API (packages/adapters-http/openapi.json) and of the lender protocol
// (lender.openapi.json), so that changes are visible in review. With --check, fails if a file is out of date.
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openApi } from "../packages/adapters-http/src/api/openapi/openApi.ts"
import { lenderOpenApi } from "../packages/adapters-http/src/lender/protocol/lenderOpenApi.ts"

const documents = { "openapi.json": openApi(), "lender.openapi.json": lenderOpenApi() }

await Promise.all(
  Object.entries(documents).map(async ([name, document]) => {
    const file = join(import.meta.dirname, "..", "packages", "adapters-http", name)
    const current = `${JSON.stringify(document, null, 2)}\n`
    if (!process.argv.includes("--check")) await writeFile(file, current)
    else if (await readFile(file, "utf8").catch(() => "") !== current) {
      console.error(`packages/adapters-http/${name} is out of date: run node scripts/openapi.ts`)
      process.exitCode = 1
    }
  })
)
