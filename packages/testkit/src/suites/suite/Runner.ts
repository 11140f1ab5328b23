/** The context that a runner passes to a case. */
export interface CaseContext {
  /** Aborts when the case times out or the run is cancelled. */
  readonly signal?: AbortSignal
}

/** Registers cases and groups of cases. */
interface Registration {
  readonly describe: (name: string, define: () => void) => unknown
  readonly it: (
    name: string,
    options: { readonly timeout: number },
    run: (context: CaseContext) => Promise<void>
  ) => unknown
}

/** The hooks of node:test. `timeout` is in milliseconds. */
interface NodeHooks {
  readonly before: (run: () => Promise<void>, options: { readonly timeout: number }) => unknown
  readonly after: (run: () => Promise<void>, options: { readonly timeout: number }) => unknown
}

/** The hooks of vitest. `timeout` is in milliseconds. */
interface VitestHooks {
  readonly beforeAll: (run: () => Promise<void>, timeout: number) => unknown
  readonly afterAll: (run: () => Promise<void>, timeout: number) => unknown
}

/**
 * A test runner: the module `node:test` (`import * as runner from "node:test"`), the module `vitest`, or any object of
 * the same shape. The testkit depends on neither.
 */
export type Runner = Registration & (NodeHooks | VitestHooks)

/** Registers hooks that run before the first and after the last case of the current suite. */
export const registerHooks = (
  runner: Runner,
  { after, before, timeout }: {
    readonly before: () => Promise<void>
    readonly after: () => Promise<void>
    readonly timeout: number
  }
): void => {
  if ("beforeAll" in runner) {
    runner.beforeAll(before, timeout)
    runner.afterAll(after, timeout)
  } else {
    runner.before(before, { timeout })
    runner.after(after, { timeout })
  }
}

/**
 * The functions of Jest that a suite uses, from `@jest/globals` or the global variables. `timeout` is in milliseconds.
 */
export interface JestGlobals {
  readonly describe: (name: string, define: () => void) => unknown
  readonly it: (name: string, run: () => Promise<void>, timeout: number) => unknown
  readonly beforeAll: (run: () => Promise<void>, timeout: number) => unknown
  readonly afterAll: (run: () => Promise<void>, timeout: number) => unknown
}

/**
 * Adapts Jest as the runner of a contract suite. Jest takes the timeout as the last argument and does not abort a case
 * that times out. This adapter aborts it, so that it ends before the next case begins.
 */
export const jestRunner = ({ afterAll, beforeAll, describe, it }: JestGlobals): Runner => ({
  afterAll,
  beforeAll,
  describe,
  it: (name, { timeout }, run) => it(name, () => run({ signal: AbortSignal.timeout(timeout) }), timeout)
})
