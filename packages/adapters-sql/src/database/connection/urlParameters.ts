import { Result } from "effect"
import { maxHosts, sessionAttrs } from "./databaseHosts.ts"
import { validateSchemaName } from "./schemaName.ts"
import { tlsModes } from "./TlsSettings.ts"

/**
 * Returns the problem of a value, or undefined if the value is valid. The text completes a sentence that starts with
 * the name of the parameter.
 */
type Check = (value: string) => string | undefined

const any: Check = () => undefined

const oneOf = (...values: ReadonlyArray<string>): Check => (value) =>
  values.includes(value) ? undefined : `must be ${values.join(" or ")}`

const notEmpty: Check = (value) => value === "" ? "must not be empty" : undefined

const isPort = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535

/** In a list of ports, an empty entry means the default port. */
const port: Check = (value) =>
  isPort(value) || value.includes(",") && value.split(",").every((port) => port === "" || isPort(port))
    ? undefined
    : "must be a port number from 1 to 65535, or one for each host, separated by commas"

const host: Check = (value) => {
  const hosts = value.split(",")
  if (hosts.includes("")) return "must be a host, or several hosts separated by commas"
  return hosts.length > maxHosts ? `must have at most ${maxHosts} hosts` : undefined
}

const seconds: Check = (value) => /^\d{1,5}$/.test(value) ? undefined : "must be a whole number of seconds"

const sslmode: Check = (value) => {
  if (value === "prefer" || value === "allow") {
    return "must not be prefer or allow, which send the password unencrypted if the server or an attacker offers no TLS. " +
      "Use require, verify-ca, verify-full or disable"
  }
  return tlsModes.some((mode) => mode === value)
    ? undefined
    : "must be disable, require, verify-ca or verify-full"
}

/**
 * The parameters of a database URL, each with a check of its value. All but `schema` have the names and meanings of
 * libpq. Those below `target_session_attrs` are accepted so that the URLs of hosting providers work unchanged. They
 * allow only the values that match the behaviour of Lastro.
 */
const parameters = {
  host,
  port,
  user: notEmpty,
  password: any,
  dbname: notEmpty,
  application_name: any,
  options: any,
  connect_timeout: seconds,
  ssl: (value) => value === "true" ? undefined : "must be true. Use sslmode instead",
  sslmode,
  sslrootcert: notEmpty,
  sslcert: notEmpty,
  sslkey: notEmpty,
  schema: (value) => {
    const judged = validateSchemaName(value)
    return Result.isFailure(judged) ? judged.failure.problem : undefined
  },
  target_session_attrs: (value) =>
    sessionAttrs.some((known) => known === value) ? undefined : `must be one of ${sessionAttrs.join(", ")}`,
  channel_binding: oneOf("prefer", "disable"),
  client_encoding: oneOf("UTF8", "UTF-8", "utf8", "utf-8", "auto"),
  gssencmode: oneOf("prefer", "disable"),
  sslnegotiation: oneOf("postgres"),
  load_balance_hosts: oneOf("disable")
} as const satisfies Readonly<Record<string, Check>>

export type UrlParameter = keyof typeof parameters

const names = Object.keys(parameters) as ReadonlyArray<UrlParameter>

/** Returns the problem of a value. The text completes a sentence that starts with the name of the parameter. */
export const problemOfValue = (name: UrlParameter, value: string): string | undefined => parameters[name](value)

/**
 * Parameters of libpq that Lastro does not support, each with a remedy. They change which server, role or certificate
 * is accepted, so it would be unsafe to ignore them.
 */
const unsupported: Readonly<Record<string, string>> = {
  hostaddr: "Use host",
  passfile: "Put the password into the URL",
  service: "Write out the URL",
  servicefile: "Write out the URL",
  sslpassword: "Use a key without a password",
  requiressl: "Use sslmode=require"
}

/** The edit distance of two texts: the number of characters to insert, delete or replace. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

const simplify = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "")

/** Returns the parameter with the most similar name, or undefined if none is similar. */
const similarName = (name: string): UrlParameter | undefined => {
  const [best] = names
    .map((known) => ({ known, changes: distance(simplify(name), simplify(known)) }))
    .filter(({ changes, known }) => changes <= Math.max(1, Math.floor(known.length / 4)))
    .toSorted((a, b) => a.changes - b.changes)
  return best?.known
}

const problemOfName = (name: string): string => {
  const remedy = unsupported[name]
  if (remedy !== undefined) return `must not have the parameter ${name}, which Lastro does not support. ${remedy}`
  const similar = similarName(name)
  return `must not have the unknown parameter ${name}. ${
    similar === undefined ? `The parameters are ${names.join(", ")}` : `Did you mean ${similar}? Otherwise remove it`
  }`
}

const isParameter = (name: string): name is UrlParameter => Object.hasOwn(parameters, name)

/**
 * Checks each parameter of a URL on its own. Returns the first problem, as a text that completes a sentence with the
 * name of the setting. It contains no value. It names an unknown parameter only if that name cannot be part of a
 * password.
 */
export const problemOfEachParameter = (parameters: URLSearchParams): string | undefined => {
  const given = new Set<string>()
  for (const [name, value] of parameters) {
    if (!isParameter(name)) {
      // If the password contains an unencoded `&`, the rest of the password looks like a parameter.
      return given.has("password") || !/^[A-Za-z][A-Za-z_]{1,39}$/.test(name) || value === ""
        ? "must be percent-encoded: it has an unknown parameter, which may be a part of a value with an unencoded &"
        : problemOfName(name)
    }
    const problem = given.has(name) ? "must be given once" : problemOfValue(name, value)
    given.add(name)
    if (problem !== undefined) {
      return name === "schema"
        ? `must name a valid schema: its parameter schema ${problem}`
        : `must have a valid parameter ${name}: ${name} ${problem}`
    }
  }
  return undefined
}

/**
 * Checks that the parameters of a URL fit together. Each of them is already valid. Returns the first contradiction or
 * missing parameter, without any value.
 */
export const problemOfCombination = (given: URLSearchParams): string | undefined => {
  const ports = given.get("port")?.split(",").length ?? 1
  if (ports > 1 && ports !== given.get("host")?.split(",").length) return "must have one port, or one for each host"
  const mode = given.get("sslmode")
  if (given.has("ssl") && mode === "disable") return "must not have both ssl=true and sslmode=disable"
  if (given.has("sslcert") !== given.has("sslkey")) return "must have both sslcert and sslkey, or neither of them"
  if (given.get("sslrootcert") === "system" && mode !== "verify-full") {
    return "must have sslmode=verify-full with sslrootcert=system"
  }
  if (mode === "verify-ca" && !given.has("sslrootcert")) {
    return "must have sslrootcert with sslmode=verify-ca, because a public authority signs the certificate of any host. " +
      "Set sslrootcert, or use sslmode=verify-full"
  }
  const isEncrypted = given.has("ssl") || mode !== null && mode !== "disable"
  const certificate = (["sslrootcert", "sslcert"] as const).find((name) => given.has(name))
  return certificate !== undefined && !isEncrypted
    ? `must have an sslmode other than disable with ${certificate}`
    : undefined
}
