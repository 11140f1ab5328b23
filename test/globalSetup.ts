import { rm } from "node:fs/promises"
import type { TestProject } from "vitest/node"
import { startPostgres } from "./postgresServer.ts"
import { rounds } from "./rounds.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The superuser URL of the test run's PostgreSQL. Each test creates its own databases there. */
    readonly databaseUrl: string
    /** The number of times a test repeats a race or a crash. */
    readonly rounds: number
  }
}

/**
 * Provides one PostgreSQL for the test run: the server of TEST_DATABASE_URL, or else a temporary one. Temporary files are in
 * memory, unless TMPDIR is set.
 */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  provide("rounds", rounds)
  const folder = process.env["TMPDIR"] === undefined ? temporaryFolder() : undefined
  if (folder !== undefined) process.env["TMPDIR"] = folder
  const remove = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  const databaseUrl = process.env["TEST_DATABASE_URL"]
  if (databaseUrl !== undefined && databaseUrl !== "") {
    provide("databaseUrl", databaseUrl)
    return remove
  }
  const { stop, url } = await startPostgres()
  provide("databaseUrl", url)
  return async () => {
    await stop()
    await remove()
  }
}
