/**
 * A long poll cannot wait in a transaction, and the feed of events cannot be read in one: the transaction would keep
 * its locks meanwhile. The call did nothing.
 */
export class WaitInTransaction extends Error {
  override readonly name = "WaitInTransaction"
  constructor() {
    super("This call cannot run inside a transaction. Omit the `wait` of a long poll, or call after the transaction.")
  }
}
