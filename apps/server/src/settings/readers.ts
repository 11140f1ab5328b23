import { parseIssuer, parseRateLimit, type RateLimit } from "@lastro/adapters-http"
import { judgeClientId, parsePassword } from "@lastro/domain/identity"
import { judgeClientSecret } from "@lastro/domain/operator"
import { parseEmail } from "@lastro/domain/values"
import { type Context, Duration, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { IpNetwork } from "effect/net"
import { readFile } from "node:fs/promises"

export type Environment = Readonly<Record<string, string | undefined>>

/** An invalid, unknown or missing setting. The message is one line and never contains the value. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  variable: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.variable} ${this.problem}`
  }
}

/** Parses the value of a variable. `name` is the name of the variable for the error message. */
export type Reader<A> = (name: string, value: string) => Result.Result<A, SettingRefused>

/**
 * Makes the error for an invalid variable. `problem` completes a sentence that starts with the name of the variable.
 */
export const refuse = (variable: string, problem: string): Result.Result<never, SettingRefused> =>
  Result.fail(new SettingRefused({ variable, problem }))

/** Makes a layer that fails with the error for an invalid variable instead of providing a port. */
export const refusing = <I, S>(
  port: Context.Key<I, S>,
  variable: string,
  problem: string
): Layer.Layer<I, SettingRefused> => Layer.effect(port, Effect.fromResult(refuse(variable, problem)))

/** Reads the file at the path in a variable. Fails with `problem` if it cannot be read. */
export const readNamedFile = (variable: string, file: string, problem: string): Effect.Effect<string, SettingRefused> =>
  Effect.catch(Effect.tryPromise(() => readFile(file, "utf8")), () => Effect.fromResult(refuse(variable, problem)))

/** Returns whether a variable is set. An empty variable counts as absent. */
export const isSet = (environment: Environment, name: string): boolean => (environment[name] ?? "") !== ""

/** Reads an optional variable. An empty variable counts as absent. */
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

/** Makes a reader from a parser. `describe` describes the problem that the parser found. */
export const parsedBy =
  <A, E>(parse: (value: string) => Result.Result<A, E>, describe: (problem: E) => string): Reader<A> => (name, value) =>
    Result.mapError(parse(value), (problem) => new SettingRefused({ variable: name, problem: describe(problem) }))

export const email: Reader<string> = parsedBy(parseEmail, () => "must be an e-mail address")

export const password: Reader<Redacted.Redacted> = (name, value) =>
  Result.isSuccess(parsePassword(value)) ? secret(name, value) : refuse(name, "must have 12 to 128 characters")

export const clientId: Reader<string> = parsedBy(
  judgeClientId,
  () => "must have 1 to 64 of the characters A-Z a-z 0-9 . _ - and must not be lastro"
)

export const clientSecret: Reader<Redacted.Redacted> = parsedBy(
  (value) => judgeClientSecret(Redacted.make(value)),
  () => "must have 16 to 128 visible ASCII characters (! to ~)"
)

export const choice = <const A extends string>(choices: ReadonlyArray<A>): Reader<A> => (name, value) => {
  const chosen = choices.find((choice) => choice === value)
  return chosen === undefined ? refuse(name, `must be one of: ${choices.join(", ")}`) : Result.succeed(chosen)
}

/** Makes a reader of a list of different choices, separated by commas. */
export const choices = <const A extends string>(known: ReadonlyArray<A>): Reader<ReadonlyArray<A>> => (name, value) => {
  const named = new Set(value.split(",").map((item) => item.trim()))
  const read = known.filter((choice) => named.has(choice))
  return read.length === named.size
    ? Result.succeed(read)
    : refuse(name, `must be one or more of: ${known.join(", ")}, separated by commas`)
}

export const flag: Reader<boolean> = (name, value) =>
  Result.map(choice(["on", "off"])(name, value), (state) => state === "on")

export const port: Reader<number> = (name, value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535
    ? Result.succeed(Number(value))
    : refuse(name, "must be a port number from 0 to 65535")

export const milliseconds: Reader<number> = (name, value) =>
  /^\d{1,7}$/.test(value)
    ? Result.succeed(Number(value))
    : refuse(name, "must be a number of milliseconds, such as 1000")

const secondsOfUnit: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 }

/** Reads a duration such as `500ms`, `30s`, `15m`, `24h` or `90d`. */
export const duration: Reader<Duration.Duration> = (name, value) => {
  const [, amount, unit] = /^([1-9]\d{0,5})(ms|s|m|h|d)$/.exec(value) ?? []
  return amount === undefined || unit === undefined
    ? refuse(name, "must be a duration, such as 500ms, 30s, 15m, 24h or 90d")
    : Result.succeed(Duration.seconds(Number(amount) * (secondsOfUnit[unit] ?? 1)))
}

/** Makes a reader of a duration that also accepts `0`. */
export const orZero = (read: Reader<Duration.Duration>): Reader<Duration.Duration> => (name, value) =>
  /^0(?:ms|s|m|h|d)?$/.test(value) ? Result.succeed(Duration.zero) : read(name, value)

/** Maximum stop delay. No load balancer needs longer to detect that a node is not ready. */
const longestStopDelay = Duration.minutes(10)

/** Reads `0`, or a duration of at most ten minutes. */
export const stopDelay: Reader<Duration.Duration> = (name, value) => {
  const read = orZero(duration)(name, value)
  return Result.isSuccess(read) && Duration.isLessThanOrEqualTo(read.success, longestStopDelay)
    ? read
    : refuse(name, "must be 0 or a duration of at most 10m, such as 500ms or 5s")
}

/** Reads a duration of at most a year. */
export const durationOfYear: Reader<Duration.Duration> = (name, value) =>
  Result.flatMap(duration(name, value), (read) =>
    Duration.isLessThanOrEqualTo(read, Duration.days(366))
      ? Result.succeed(read)
      : refuse(name, "must be a duration of at most 366d, such as 8d"))

/** Makes a reader of a whole number in a range. */
export const integer = (least: number, most: number): Reader<number> => (name, value) =>
  /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most
    ? Result.succeed(Number(value))
    : refuse(name, `must be a whole number from ${least} to ${most}`)

export const rateLimit: Reader<RateLimit> = (name, value) =>
  Option.match(parseRateLimit(value), {
    onNone: () => refuse(name, "must be off or RATE:BURST, such as 50:100 for 50 requests per second in bursts of 100"),
    onSome: (limit) => Result.succeed(limit)
  })

/** The problem with the URL of a lender. */
export const lenderUrlProblem =
  "must be an https URL, or an http URL in a private network, without user, password, query or fragment"

export const httpUrl: Reader<string> = (name, value) =>
  /^https?:\/\/./.test(value) && URL.canParse(value)
    ? Result.succeed(value.replace(/\/$/, ""))
    : refuse(name, "must be an http or https URL")

export const issuerUrl: Reader<string> = parsedBy(parseIssuer, ({ problem }) => problem)

export const networks: Reader<ReadonlyArray<IpNetwork.IpNetwork>> = parsedBy(
  (value) => Result.all(value.split(",").map((block) => IpNetwork.fromString(block.trim()))),
  () => "must be a comma-separated list of CIDR blocks, such as 10.0.0.0/8,fd00::/8"
)
