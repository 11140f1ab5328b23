import { type Fiber } from "effect"

/** The method of a fiber that runs the fiber until it waits or ends. */
interface Runnable {
  evaluate: (effect: unknown) => void
}

const isRunnable = (fiber: unknown): fiber is Runnable => typeof Object(fiber)["evaluate"] === "function"

/**
 * Measures the processor time of a fiber from now on: the time in which it runs and does not wait. Returns a function
 * that returns this time in milliseconds. `nanos` returns the monotonic time. Forked fibers are not included.
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
