import { Duration } from "effect"

/** A function was called in the callback of a transaction, but is not part of the transaction. The call did nothing. */
export class CallOutsideTransaction extends Error {
  override readonly name = "CallOutsideTransaction"
  constructor() {
    super(
      "A transaction is open in this callback, and this call is not part of it. Call the same function of `tx`, the argument of the innermost callback."
    )
  }
}

/** A function of a transaction was called after its callback had ended. The call did nothing. */
export class TransactionEnded extends Error {
  override readonly name = "TransactionEnded"
  constructor() {
    super("The transaction has ended. Use `tx` only inside its callback.")
  }
}

/** The callback ended while a call of `tx` was running. The transaction was rolled back. */
export class CallNotAwaited extends Error {
  override readonly name = "CallNotAwaited"
  constructor() {
    super(
      "The callback ended while a call of `tx` was running. The transaction was rolled back. Await every call of `tx`."
    )
  }
}

/** The callback took too long. The transaction was rolled back. */
export class TransactionTimeout extends Error {
  override readonly name = "TransactionTimeout"
  constructor(timeout: Duration.Input) {
    super(
      `The transaction did not end within ${
        Duration.format(Duration.fromInputUnsafe(timeout))
      } and was rolled back. Move slow work out of the callback, or set \`timeout\`.`
    )
  }
}

/** The layer does not support transactions of the host. */
export class TransactionsUnavailable extends Error {
  override readonly name = "TransactionsUnavailable"
  constructor() {
    super("The layer provides no HostTransactions, the port for `atomically` and `within`. Add it to your layer.")
  }
}
