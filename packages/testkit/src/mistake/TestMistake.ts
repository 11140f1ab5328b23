/** A mistake in the set-up of a test. The message names the mistake and its remedy. */
export class TestMistake extends Error {
  override readonly name = "TestMistake"
}
