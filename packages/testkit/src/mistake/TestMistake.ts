/** A mistake in the set-up of a test. The message describes it and the fix. */
export class TestMistake extends Error {
  override readonly name = "TestMistake"
}
