import { Duration, Effect, Layer, ManagedRuntime, References, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { aroundCases, type Runner } from "./Runner.ts"

/** How a contract suite is run. */
export interface ContractOptions {
  /** How many random examples a property tries; 30 unless given. */
  readonly runs?: number
  /**
   * Whether units of work of the adapter run beside each other (`concurrent`, the default) or one at a time
   * (`serialised`). Cases of two units that wait for each other run on concurrent adapters only.
   */
  readonly units?: "concurrent" | "serialised"
  /** How long the layer may take to start, and how long to close; a minute unless given. */
  readonly timeout?: Duration.Input
}

/**
 * Registers a case: a sentence of the contract, and the effect that fails or dies where the sentence does not hold. A case
 * may take 30 seconds, or as many milliseconds as are given.
 */
export type RegisterCase<R> = <A, E>(
  sentence: string,
  holds: () => Effect.Effect<A, E, R | Scope.Scope>,
  timeout?: number
) => void

/** The cases of a contract, registered with a runner that provides the ports `R`. */
export type ContractCases<R> = (
  it: RegisterCase<R>,
  options: { readonly runs: number; readonly units: "concurrent" | "serialised" }
) => void

/** The contract of a port: its name and the cases that hold it. */
export interface Contract<R> {
  readonly port: string
  readonly cases: ReadonlyArray<ContractCases<R>>
}

/**
 * A contract suite: registers every case of its contracts with a test runner, over the ports a layer provides. The layer is
 * built once for the whole suite, before its first case, and closed after its last; where it cannot be built, every case
 * fails.
 */
export type ContractSuite<R> = <E>(
  name: string,
  layer: Layer.Layer<R, E>,
  runner: Runner,
  options?: ContractOptions
) => void

/** Milliseconds a case may take that asks for no other time. */
const caseTimeout = 30_000

/** That a lender does not answer is what cases are about, and no news to who runs them. */
const uneventful = Layer.succeed(References.MinimumLogLevel, "Error")

/** The ports of a suite, built when they are first asked for, and cases run over them one at a time. */
const portsUnderTest = <R, E>(layer: Layer.Layer<R, E>) => {
  const runtime = ManagedRuntime.make(layer)
  let last: Promise<void> = Promise.resolve()
  return {
    open: () => runtime.runPromise(Effect.void),
    // A case that its runner has given up is interrupted, and has to end before the next one begins.
    run: <A, E1>(holds: Effect.Effect<A, E1, R | Scope.Scope>, signal: AbortSignal | undefined): Promise<void> => {
      const ended = last.then(() => runtime.runPromise(Effect.asVoid(Effect.scoped(holds)), signal && { signal }))
      last = ended.catch(() => {})
      return ended
    },
    close: () => runtime.dispose()
  }
}

/** The suite of these contracts, in this order; by the real clock unless they need the test clock. */
export const contractSuite = <R>(
  contracts: ReadonlyArray<Contract<R>>,
  clock: "real" | "test" = "real"
): ContractSuite<R> =>
(name, layer, runner, { runs = 30, timeout = "1 minute", units = "concurrent" } = {}) => {
  runner.describe(name, () => {
    const quiet = Layer.provideMerge(layer, uneventful)
    const ports = portsUnderTest(clock === "real" ? quiet : Layer.provideMerge(quiet, TestClock.layer()))
    aroundCases(runner, {
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
