import { layerPostgres } from "@lastro/adapters-sql"
import { Effect, Redacted } from "effect"
import { writeFileSync } from "node:fs"
import { startPostgres } from "../../test/postgresServer.ts"
import { fill } from "./commissions.ts"
const pg = await startPostgres()
writeFileSync("/tmp/money31/url", pg.url)
await Effect.runPromise(
  Effect.provide(
    fill({ partners: Number(process.argv[2]), seed: 1 }, Number(process.argv[3])),
    layerPostgres({ url: Redacted.make(pg.url) })
  ) as never
)
writeFileSync("/tmp/money31/filled", "yes")
console.error("filled")
setInterval(() => {}, 1e6)
