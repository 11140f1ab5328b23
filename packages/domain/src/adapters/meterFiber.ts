import { type Fiber } from "effect"

interface Runnable {
  /** Runs the fiber until it waits or ends. */
  evaluate: (effect: unknown) => void
}

const isRunnable = (fiber: unknown): fiber is Runnable => typeof Object(fiber)["evaluate"] === "function"

/**
 * Measures the processor time of a fiber from now on: the time in which it runs and does not wait. Returns a function
 * that reads this time in milliseconds. `nanos` returns the monotonic time in nanoseconds. Forked fibers are not
 * included.
 */
export const meterFiber = (fiber: Fiber.Fiber<unknown, unknown>, nanos: () => bigint): () => number => {
  let spent = 0n
  let isRunning = false
  if (isRunnable(fiber)) {
    const evaluate = fiber.evaluate
    fiber.evaluate = (effect) => {
      // A running fiber can call this method again.
      if (isRunning) return evaluate.call(fiber, effect)
      isRunning = true
      const begun = nanos()
      try {
        evaluate.call(fiber, effect)
      } finally {
        spent += nanos() - begun
        isRunning = false
      }
    }
  }
  return () => Number(spent / 1_000n) / 1_000
}
