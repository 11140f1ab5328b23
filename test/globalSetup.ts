import { rm } from "node:fs/promises"
import type { TestProject } from "vitest/node"
import { type PostgresServer, startPostgres } from "./postgresServer.ts"
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

/** Moves the temporary files of this test run into memory, unless TMPDIR is set. Returns a function that undoes this. */
const useMemory = (): () => Promise<void> => {
  const folder = process.env["TMPDIR"] === undefined ? temporaryFolder() : undefined
  if (folder === undefined) return async () => {}
  process.env["TMPDIR"] = folder
  return async () => {
    delete process.env["TMPDIR"]
    // PostgreSQL may still be removing its own folder in it.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Starts the PostgreSQL of this test run, unless TEST_DATABASE_URL has the URL of a server. */
const usePostgres = async (): Promise<PostgresServer> => {
  const url = process.env["TEST_DATABASE_URL"]
  return url !== undefined && url !== "" ? { url, stop: async () => {} } : startPostgres()
}

/** Provides one PostgreSQL for the test run. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const leaveMemory = useMemory()
  try {
    const { stop, url } = await usePostgres()
    provide("rounds", rounds)
    provide("databaseUrl", url)
    return async () => {
      try {
        await stop()
      } finally {
        await leaveMemory()
      }
    }
  } catch (error) {
    await leaveMemory()
    throw error
  }
}
