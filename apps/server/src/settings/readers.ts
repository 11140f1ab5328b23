import { Redacted, Result, Schema } from "effect"
import { isIP } from "node:net"

/** The environment as a process has it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A setting that is wrong, unknown or missing; the message is one line for the operator and never holds the value. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  variable: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.variable} ${this.problem}`
  }
}

/** Reads one variable's value; `name` is only for the message. */
export type Reader<A> = (name: string, value: string) => Result.Result<A, SettingRefused>

/** A rate limit: sustained requests a second, and how many at once. */
export interface RateLimit {
  readonly rate: number
  readonly burst: number
}

/** Refuses a variable: `problem` continues a sentence that starts with its name. */
export const refuse = (variable: string, problem: string): Result.Result<never, SettingRefused> =>
  Result.fail(new SettingRefused({ variable, problem }))

/** Reads a variable that may be absent or empty. */
export const optional = <A>(
  environment: Environment,
  name: string,
  read: Reader<A>
): Result.Result<A | undefined, SettingRefused> => {
  const value = environment[name]
  return value === undefined || value === "" ? Result.succeed(undefined) : read(name, value)
}

export const text: Reader<string> = (_, value) => Result.succeed(value)

export const secret: Reader<Redacted.Redacted> = (_, value) => Result.succeed(Redacted.make(value))

export const choice = <const A extends string>(choices: ReadonlyArray<A>): Reader<A> => (name, value) => {
  const chosen = choices.find((one) => one === value)
  return chosen === undefined ? refuse(name, `has to be one of ${choices.join(", ")}`) : Result.succeed(chosen)
}

export const flag: Reader<boolean> = (name, value) =>
  Result.map(choice(["on", "off"])(name, value), (one) => one === "on")

export const port: Reader<number> = (name, value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535
    ? Result.succeed(Number(value))
    : refuse(name, "has to be a port from 0 to 65535")

export const milliseconds: Reader<number> = (name, value) =>
  /^\d{1,7}$/.test(value) ? Result.succeed(Number(value)) : refuse(name, "has to be a number of milliseconds")

export const rateLimit: Reader<RateLimit | "off"> = (name, value) => {
  if (value === "off") return Result.succeed("off")
  const [, rate, burst] = /^([1-9]\d{0,6}):([1-9]\d{0,6})$/.exec(value) ?? []
  return rate === undefined || burst === undefined
    ? refuse(name, "has to be off or RATE:BURST in requests a second, such as 50:100")
    : Result.succeed({ rate: Number(rate), burst: Number(burst) })
}

export const httpUrl: Reader<string> = (name, value) =>
  /^https?:\/\/./.test(value) && URL.canParse(value)
    ? Result.succeed(value.replace(/\/$/, ""))
    : refuse(name, "has to be an http or https URL")

export const cidrs: Reader<ReadonlyArray<string>> = (name, value) => {
  const blocks = value.split(",").map((block) => block.trim())
  return blocks.every(isCidr)
    ? Result.succeed(blocks)
    : refuse(name, "has to be a comma-separated list of CIDR blocks such as 10.0.0.0/8,fd00::/8")
}

const isCidr = (block: string): boolean => {
  const [address = "", bits, ...rest] = block.split("/")
  const version = isIP(address)
  return rest.length === 0 && version !== 0 && bits !== undefined && /^\d{1,3}$/.test(bits) &&
    Number(bits) <= (version === 4 ? 32 : 128)
}
