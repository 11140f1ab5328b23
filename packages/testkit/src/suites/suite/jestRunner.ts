import { type Runner } from "./Runner.ts"

/** The functions of Jest that a suite uses: `@jest/globals`, or the global variables. `timeout` is in milliseconds. */
export interface JestGlobals {
  readonly describe: (name: string, define: () => void) => unknown
  readonly it: (name: string, run: () => Promise<void>, timeout: number) => unknown
  readonly beforeAll: (run: () => Promise<void>, timeout: number) => unknown
  readonly afterAll: (run: () => Promise<void>, timeout: number) => unknown
}

/**
 * Adapts Jest as the runner of a contract suite. Jest takes the timeout as the last argument, and does not abort a case that times out.
 * This adapter aborts such a case, so that it ends before the next one begins.
 */
export const jestRunner = ({ afterAll, beforeAll, describe, it }: JestGlobals): Runner => ({
  afterAll,
  beforeAll,
  describe,
  it: (name, { timeout }, run) => it(name, () => run({ signal: AbortSignal.timeout(timeout) }), timeout)
})
