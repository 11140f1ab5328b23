/** A long poll cannot wait in a transaction, because the transaction keeps its locks meanwhile. The call did nothing. */
export class WaitInTransaction extends Error {
  override readonly name = "WaitInTransaction"
  constructor() {
    super("A long poll cannot wait inside a transaction. Omit `wait`, or poll after the transaction.")
  }
}
