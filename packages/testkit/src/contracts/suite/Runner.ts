/** What a runner tells a case while it runs. */
export interface CaseContext {
  /** Aborted when the runner no longer waits for the case: its time is up, or the run was cancelled. */
  readonly signal?: AbortSignal
}

/** How cases are named, grouped and registered. */
interface Cases {
  readonly describe: (name: string, define: () => void) => unknown
  readonly it: (
    name: string,
    options: { readonly timeout: number },
    run: (context: CaseContext) => Promise<void>
  ) => unknown
}

/** What node:test calls the hooks of a suite; `timeout` in milliseconds. */
interface NodeHooks {
  readonly before: (run: () => Promise<void>, options: { readonly timeout: number }) => unknown
  readonly after: (run: () => Promise<void>, options: { readonly timeout: number }) => unknown
}

/** What vitest calls the hooks of a suite; `timeout` in milliseconds. */
interface VitestHooks {
  readonly beforeAll: (run: () => Promise<void>, timeout: number) => unknown
  readonly afterAll: (run: () => Promise<void>, timeout: number) => unknown
}

/**
 * A test runner that contract suites register their cases with: what `import * as runner from "node:test"` or
 * `import * as runner from "vitest"` gives, or any object of the same shape. The testkit depends on neither.
 */
export type Runner = Cases & (NodeHooks | VitestHooks)

/** Registers what happens before the first case of the suite that is being described, and what after its last. */
export const aroundCases = (
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
