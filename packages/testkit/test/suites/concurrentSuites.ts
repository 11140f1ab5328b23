import { type Runner } from "@lastro/testkit/suites"
import { afterAll, beforeAll, describe, it } from "vitest"

let depth = 0

/**
 * Vitest as a runner of contract suites: the suites of a file run concurrently, and the cases of each suite in order. Each
 * suite has ports of its own, and many cases wait.
 */
export const concurrentSuites: Runner = {
  describe: (name, define) => {
    describe(name, { concurrent: depth === 0 }, () => {
      depth++
      define()
      depth--
    })
  },
  it: (name, options, run) => it(name, { ...options, concurrent: false }, run),
  beforeAll,
  afterAll
}
