import { type CaseContext, type Runner } from "@lastro/testkit/suites"
import { Effect } from "effect"

interface CollectedCase {
  readonly name: string
  readonly timeout: number
  readonly run: (context: CaseContext) => Promise<void>
}

type Hook = () => Promise<void>

/** The registered cases and hooks of contract suites. */
interface CollectedCases {
  readonly cases: Array<CollectedCase>
  readonly before: Array<Hook>
  readonly after: Array<Hook>
}

/** A failed case. */
interface Failure {
  readonly name: string
  readonly error: unknown
}

/** Collects the cases that suites register, without running them. */
export const collectCases = (register: (runner: Runner) => void): CollectedCases => {
  const collected: CollectedCases = { cases: [], before: [], after: [] }
  register({
    describe: (_name, define) => define(),
    it: (name, { timeout }, run) => collected.cases.push({ name, timeout, run }),
    before: (run) => collected.before.push(run),
    after: (run) => collected.after.push(run)
  })
  return collected
}

const runCase = ({ name, run, timeout }: CollectedCase, limit: number) =>
  Effect.tryPromise({ try: (signal) => run({ signal }), catch: (error): Failure => ({ name, error }) }).pipe(
    Effect.timeoutOrElse({
      duration: Math.min(timeout, limit),
      orElse: () => Effect.fail<Failure>({ name, error: "timeout" })
    }),
    Effect.as<ReadonlyArray<Failure>>([]),
    Effect.catch((failure) => Effect.succeed([failure]))
  )

/** Runs cases in order, as a test runner does, and returns the failures. `timeout` per case is in milliseconds. */
export const runCases = (
  { after, before, cases }: CollectedCases,
  { stopAtFirstFailure = false, timeout = Number.POSITIVE_INFINITY }: {
    readonly stopAtFirstFailure?: boolean
    readonly timeout?: number
  } = {}
) =>
  Effect.gen(function*() {
    for (const hook of before) yield* Effect.promise(hook)
    const failures: Array<Failure> = []
    for (const one of cases) {
      failures.push(...(yield* runCase(one, timeout)))
      if (stopAtFirstFailure && failures.length > 0) break
    }
    for (const hook of after) yield* Effect.promise(hook)
    return failures
  })
