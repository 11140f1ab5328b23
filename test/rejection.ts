import { assert } from "@effect/vitest"

/** Returns the error with which a promise rejects. */
export const rejection = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => assert.fail("the promise resolved"), (error: unknown) => error)
