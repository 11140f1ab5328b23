/** A test asked for what cannot be: the message says what, and what can be done about it. */
export class TestMistake extends Error {
  override readonly name = "TestMistake"
}
