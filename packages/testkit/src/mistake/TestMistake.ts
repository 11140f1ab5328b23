/** An error in the set-up of a test. The message describes the error and the fix. */
export class TestMistake extends Error {
  override readonly name = "TestMistake"
}
