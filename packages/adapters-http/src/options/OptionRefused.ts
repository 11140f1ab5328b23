import { Data } from "effect"

/** An option that is wrong: nothing is served with it. The message names it, and is one line for who gave it. */
export class OptionRefused extends Data.TaggedError("OptionRefused")<{
  readonly option: "issuer" | "prefix"
  /** What is wrong, going on from the name of the option. */
  readonly problem: string
}> {
  override get message(): string {
    return `${this.option} ${this.problem}`
  }
}
