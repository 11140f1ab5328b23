import { Duration, Effect, Layer, ManagedRuntime, References, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { registerHooks, type Runner } from "./Runner.ts"

/** Options of a contract suite. */
export interface ContractOptions {
  /** The number of random examples of a property. Default: 30. */
  readonly runs?: number
  /**
   * `concurrent` if the adapter can run two units of work at the same time, `serialised` if it runs one after another. The cases that open
   * two units of work run only for `concurrent`. Default: `concurrent`.
   */
  readonly units?: "concurrent" | "serialised"
  /** The timeout for building the layer, and for closing it. Default: 1 minute. */
  readonly timeout?: Duration.Input
}

/**
 * Registers a case. Its name is a sentence of the contract, and its effect fails or dies if the sentence does not hold.
 * `timeout` is in milliseconds. Default: 30 s.
 */
export type RegisterCase<R> = <A, E>(
  sentence: string,
  holds: () => Effect.Effect<A, E, R | Scope.Scope>,
  timeout?: number
) => void

/** Registers the cases of a contract, which use the ports `R`. */
export type ContractCases<R> = (
  it: RegisterCase<R>,
  options: { readonly runs: number; readonly units: "concurrent" | "serialised" }
) => void

/** The contract of a port: its name and its cases. */
export interface Contract<R> {
  readonly port: string
  readonly cases: ReadonlyArray<ContractCases<R>>
}

/**
 * Registers every case of the suite with a test runner. The cases use the ports of a layer, which is built once before
 * the first case and closed after the last. Every case fails if the layer cannot be built.
 */
export type ContractSuite<R> = <E>(
  name: string,
  layer: Layer.Layer<R, E>,
  runner: Runner,
  options?: ContractOptions
) => void

/** The default timeout of a case, in milliseconds. */
const caseTimeout = 30_000

/** Only errors are logged. Many cases make the lender fail, which would log a warning. */
const errorsOnly = Layer.succeed(References.MinimumLogLevel, "Error")

/** Builds the ports of a suite at their first use, and runs the cases of the suite one at a time. */
const openPorts = <R, E>(layer: Layer.Layer<R, E>) => {
  const runtime = ManagedRuntime.make(layer)
  let last: Promise<void> = Promise.resolve()
  return {
    open: () => runtime.runPromise(Effect.void),
    // The runner aborts a case that times out. The case has to end before the next one begins.
    run: <A, E1>(holds: Effect.Effect<A, E1, R | Scope.Scope>, signal: AbortSignal | undefined): Promise<void> => {
      const ended = last.then(() => runtime.runPromise(Effect.asVoid(Effect.scoped(holds)), signal && { signal }))
      last = ended.catch(() => {})
      return ended
    },
    close: () => runtime.dispose()
  }
}

/** Builds a suite that runs these contracts in order. Default clock: the real one. */
export const contractSuite = <R>(
  contracts: ReadonlyArray<Contract<R>>,
  clock: "real" | "test" = "real"
): ContractSuite<R> =>
(name, layer, runner, { runs = 30, timeout = "1 minute", units = "concurrent" } = {}) => {
  runner.describe(name, () => {
    const quiet = Layer.provideMerge(layer, errorsOnly)
    const ports = openPorts(clock === "real" ? quiet : Layer.provideMerge(quiet, TestClock.layer()))
    registerHooks(runner, {
      before: ports.open,
      after: ports.close,
      timeout: Duration.toMillis(Duration.fromInputUnsafe(timeout))
    })
    const register: RegisterCase<R> = (sentence, holds, limit = caseTimeout) => {
      runner.it(sentence, { timeout: limit }, ({ signal }) => ports.run(Effect.suspend(holds), signal))
    }
    for (const { cases, port } of contracts) {
      runner.describe(`${port} contract`, () => {
        for (const one of cases) one(register, { runs, units })
      })
    }
  })
}
