import { errorCode } from "@lastro/domain/values"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { isIP } from "node:net"
import { namedLenderSecrets } from "./lender.ts"
import { type Environment, isSet, refuse, SettingRefused } from "./readers.ts"

/** The settings that contain secrets. The value may be in a file instead, whose path is in `NAME_FILE`. */
export const secretNames: ReadonlyArray<string> = [
  "DATABASE_URL",
  "LASTRO_BOOTSTRAP_ADMIN_PASSWORD",
  "LASTRO_BOOTSTRAP_CLIENT_SECRET",
  "LASTRO_LENDER_CALLBACK_SECRET",
  "LASTRO_LENDER_TOKEN",
  "LASTRO_QITECH_API_KEY",
  "LASTRO_READ_DATABASE_URL",
  "LASTRO_SECRETS_KEY",
  "PGPASSWORD"
]

/** Reads a file without the line break at its end, which editors and `kubectl create secret` may add. */
const readSecret = (variable: string, path: string): Result.Result<string, SettingRefused> =>
  Result.flatMap(
    Result.try({
      try: () => readFileSync(path, "utf8").replace(/\r?\n$/, ""),
      catch: (error) =>
        new SettingRefused({
          variable,
          problem: `must be the path of a readable file (${errorCode(error) ?? "unknown error"})`
        })
    }),
    (text) => text === "" ? refuse(variable, "names an empty file. Write the secret into it") : Result.succeed(text)
  )

/**
 * Returns the environment with the secrets that are in files. Fails if a file is empty or cannot be read, or if both a
 * setting and its file are set.
 */
export const readSecretFiles = (environment: Environment): Result.Result<Environment, SettingRefused> =>
  Result.gen(function*() {
    const read: Record<string, string | undefined> = { ...environment }
    for (const name of [...secretNames, ...namedLenderSecrets(environment)]) {
      const variable = `${name}_FILE`
      delete read[variable]
      const path = environment[variable] ?? ""
      if (path === "") continue
      if (isSet(environment, name)) return yield* refuse(variable, `must not be set together with ${name}`)
      read[name] = yield* readSecret(variable, path)
    }
    return read
  })

/**
 * If the value of a setting comes from a file, changes the name in its error to `NAME_FILE`, the variable that the
 * operator set.
 */
export const namingFiles = (environment: Environment) => (error: SettingRefused): SettingRefused => {
  const variable = `${error.variable}_FILE`
  if (![...secretNames, ...namedLenderSecrets(environment)].includes(error.variable) || !isSet(environment, variable)) {
    return error
  }
  return new SettingRefused({
    variable,
    problem: error.problem.startsWith("must ") ? `names a file whose content ${error.problem}` : error.problem
  })
}

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536

const isProtocol = (text: string): boolean => ["tcp", "udp", "sctp"].includes(text)

/**
 * Returns whether a text is an address in the form of Kubernetes, such as `tcp://10.0.0.1:3000` or
 * `tcp://[fd00::1]:3000`.
 */
const isAddress = (text: string): boolean => {
  const [, protocol = "", six, host = "", port = ""] = /^([a-z]+):\/\/(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? []
  return isProtocol(protocol) && isIP(six ?? host) === (six === undefined ? 4 : 6) && isPort(port)
}

/** The names of the variables that Kubernetes sets for a Service called `lastro`, each with a check of its value. */
const variables: ReadonlyArray<readonly [name: RegExp, isValid: (value: string) => boolean]> = [
  [/^LASTRO_SERVICE_HOST$/, (value) => isIP(value) !== 0],
  [/^LASTRO_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, isPort],
  [/^LASTRO_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/, isAddress],
  [/^LASTRO_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, isProtocol],
  [/^LASTRO_PORT_\d+_(?:TCP|UDP|SCTP)_PORT$/, isPort],
  [/^LASTRO_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) !== 0]
]

/**
 * Returns whether Kubernetes sets a variable in every container for a Service called `lastro`, such as
 * `LASTRO_PORT=tcp://10.0.0.1:3000`. Such variables are not settings, so they are ignored.
 */
export const isServiceVariable = (name: string, value = ""): boolean =>
  variables.some(([pattern, isValid]) => pattern.test(name) && isValid(value))
