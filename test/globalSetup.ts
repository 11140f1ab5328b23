import type { TestProject } from "vitest/node"
import { startPostgres } from "./postgresServer.ts"
import { rounds } from "./rounds.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where a superuser of the run's PostgreSQL connects. Tests make databases of their own there. */
    readonly databaseUrl: string
    /** How many times a test repeats a race or a crash. */
    readonly rounds: number
  }
}

/** One real PostgreSQL for the whole run: the one that TEST_DATABASE_URL names, else one of our own. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  provide("rounds", rounds)
  const given = process.env["TEST_DATABASE_URL"]
  if (given !== undefined && given !== "") {
    provide("databaseUrl", given)
    return async () => {}
  }
  const { stop, url } = await startPostgres()
  provide("databaseUrl", url)
  return stop
}
