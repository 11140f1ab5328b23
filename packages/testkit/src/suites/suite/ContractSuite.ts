// A case can fail with any error, which the test runner reports.
// @effect-diagnostics anyUnknownInErrorContext:off
import { Duration, Effect, Layer, ManagedRuntime, References, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { registerHooks, type Runner } from "./Runner.ts"

/** Options of a contract suite. */
export interface ContractOptions {
  /** The number of random examples of a property. Default: 30. */
  readonly runs?: number
  /**
   * `concurrent`: the adapter can run two units of work at the same time. `serialised`: it runs one after another, and
   * the cases that open two units of work are skipped. Default: `concurrent`.
   */
  readonly units?: "concurrent" | "serialised"
  /** The timeout for building the layer, and for closing it. Default: 1 minute. */
  readonly timeout?: Duration.Input
}

/**
 * The check of a sentence: an effect, or a generator for `Effect.gen`. It fails or dies if the sentence does not hold.
 */
export type Holds<R> =
  | Effect.Effect<unknown, unknown, R | Scope.Scope>
  | Generator<Effect.Effect<unknown, unknown, R | Scope.Scope>, unknown, never>

/** Registers the cases of a contract. The name of a case is a sentence of the contract. */
export interface RegisterCase<R> {
  /** Registers a case. `timeout` is in milliseconds. Default: 30 s. */
  (sentence: string, holds: () => Holds<R>, timeout?: number): void
  /**
   * Registers a property, which must hold for random examples. They are checked one after another. A failing example is
   * shrunk for at most 5 s, and the case dies with the smallest failing example. `runs` is the number of examples.
   * Default: {@link ContractOptions.runs}.
   */
  readonly forAll: <A>(
    sentence: string,
    arbitrary: fc.Arbitrary<A>,
    holds: (example: A) => Holds<R>,
    runs?: number
  ) => void
}

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
 * Registers every case of the suite with a test runner. The cases use the ports of a layer, which is built before the
 * first case and closed after the last. If the layer cannot be built, every case fails.
 */
export interface ContractSuite<R> {
  <E>(name: string, layer: Layer.Layer<R, E>, runner: Runner, options?: ContractOptions): void
  readonly contracts: ReadonlyArray<Contract<R>>
}

/** The default timeout of a case, in milliseconds. */
const caseTimeout = 30_000

/** The timeout of a property, in milliseconds, including the time for shrinking. */
const propertyTimeout = 60_000

/** The time limit for shrinking a failing example, in milliseconds. */
const shrinkingLimit = 5_000

/** Returns the effect of a check. */
export const effectOf = <R>(holds: Holds<R>): Effect.Effect<unknown, unknown, R | Scope.Scope> =>
  Effect.isEffect(holds) ? holds : Effect.gen(() => holds)

/** Checks a property for random examples. Once interrupted or at the end of shrinking, it no longer checks examples. */
const checkExamples = <A, R>(
  arbitrary: fc.Arbitrary<A>,
  runs: number,
  holds: (example: A) => Holds<R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.flatMap(Effect.context<R | Scope.Scope>(), (context) =>
    Effect.promise((signal) => {
      let endOfShrinking = Number.POSITIVE_INFINITY
      const run = async (example: A): Promise<void> => {
        if (signal.aborted || Date.now() > endOfShrinking) return
        try {
          const checked = Effect.scoped(Effect.suspend(() => effectOf(holds(example))))
          await Effect.runPromiseWith(context)(checked, { signal })
        } catch (error) {
          endOfShrinking = Math.min(endOfShrinking, Date.now() + shrinkingLimit)
          throw error
        }
      }
      return fc.assert(fc.asyncProperty(arbitrary, run), { numRuns: runs })
    }))

/** Logs errors only. Many cases let the lender fail, which would log a warning. */
const errorsOnly = Layer.succeed(References.MinimumLogLevel, "Error")

/** Builds the ports of a suite, and runs its cases one at a time. */
const openPorts = <R, E>(layer: Layer.Layer<R, E>) => {
  const runtime = ManagedRuntime.make(layer)
  let previous: Promise<void> = Promise.resolve()
  return {
    open: () => runtime.runPromise(Effect.void),
    // The runner aborts a case that times out. The case must end before the next one begins.
    run: <A, E1>(check: Effect.Effect<A, E1, R | Scope.Scope>, signal: AbortSignal | undefined): Promise<void> => {
      const ended = previous.then(() => runtime.runPromise(Effect.asVoid(Effect.scoped(check)), signal && { signal }))
      previous = ended.catch(() => {})
      return ended
    },
    close: () => runtime.dispose()
  }
}

/** Builds a suite that runs these contracts in order. Default clock: the real one. */
export const contractSuite = <R>(
  contracts: ReadonlyArray<Contract<R>>,
  clock: "real" | "test" = "real"
): ContractSuite<R> => {
  const suite = <E>(
    name: string,
    layer: Layer.Layer<R, E>,
    runner: Runner,
    { runs = 30, timeout = "1 minute", units = "concurrent" }: ContractOptions = {}
  ): void => {
    runner.describe(name, () => {
      const quiet = Layer.provideMerge(layer, errorsOnly)
      const ports = openPorts(clock === "real" ? quiet : Layer.provideMerge(quiet, TestClock.layer()))
      registerHooks(runner, {
        before: ports.open,
        after: ports.close,
        timeout: Duration.toMillis(Duration.fromInputUnsafe(timeout))
      })
      const it = (sentence: string, holds: () => Holds<R>, limit = caseTimeout): void => {
        runner.it(
          sentence,
          { timeout: limit },
          ({ signal }) => ports.run(Effect.suspend(() => effectOf(holds())), signal)
        )
      }
      const register: RegisterCase<R> = Object.assign(it, {
        forAll: <A>(sentence: string, arbitrary: fc.Arbitrary<A>, holds: (example: A) => Holds<R>, examples = runs) =>
          it(sentence, () => checkExamples(arbitrary, examples, holds), propertyTimeout)
      })
      for (const { cases, port } of contracts) {
        runner.describe(`${port} contract`, () => {
          for (const registerCases of cases) registerCases(register, { runs, units })
        })
      }
    })
  }
  return Object.assign(suite, { contracts })
}
