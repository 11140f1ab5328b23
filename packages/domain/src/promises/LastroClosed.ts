/** A call came after `close` was called. */
export class LastroClosed extends Error {
  override readonly name = "LastroClosed"
  constructor() {
    super("This Lastro was closed: nothing can be asked of it any more.")
  }
}
