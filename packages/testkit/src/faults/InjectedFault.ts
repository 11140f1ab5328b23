import { Data } from "effect"

/** A fault that a test had a port have. */
export class InjectedFault extends Data.TaggedError("InjectedFault")<{
  readonly port: string
  readonly method: string
  /** Whether the call was done before its answer was lost. */
  readonly done: boolean
}> {
  override readonly message: string = this.done
    ? `${this.port}.${this.method} was done, and its answer lost, as the test asked for`
    : `${this.port}.${this.method} failed, as the test asked for`
}
