import { Redacted, Result, Schema } from "effect"
import { moveHostsToParameters } from "./databaseHosts.ts"
import { problemOfCombination, problemOfEachParameter } from "./urlParameters.ts"

/**
 * The text is not a valid PostgreSQL URL. `problem` completes a sentence that starts with the name of the setting. It
 * contains no part of the URL, because any part of an invalid URL may belong to the password.
 */
export class InvalidDatabaseUrl extends Schema.TaggedError<InvalidDatabaseUrl>()("InvalidDatabaseUrl", {
  problem: Schema.String
}) {
  override get message(): string {
    return `The database URL ${this.problem}.`
  }
}

const refuse = (problem: string): Result.Result<never, InvalidDatabaseUrl> =>
  Result.fail(new InvalidDatabaseUrl({ problem }))

const scheme = /^postgres(?:ql)?:\/\//i

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Validates a libpq URI that may still lack parameters. So it does not check that the parameters fit together. Moves
 * several hosts to the parameters `host` and `port`.
 *
 * Runs before Node.js parses the URL, for two reasons. The error of Node.js contains the URL with its password. If the
 * password contains an unencoded `/` or `?`, Node.js takes the user as the host.
 */
export const validateIncompleteUrl = (url: string): Result.Result<URL, InvalidDatabaseUrl> => {
  const rest = url.replace(scheme, "")
  if (rest === url || rest === "") {
    return refuse("must be a PostgreSQL URL such as postgres://user:password@host:5432/database")
  }
  // The authority (user, password, host, port) ends at the first of these characters (RFC 3986 §3.2). A later `@` means
  // that one of them was not percent-encoded.
  const [authority = ""] = rest.split(/[/?#]/, 1)
  if (/[#@]/.test(rest.slice(authority.length))) {
    return refuse(
      "must be percent-encoded: the user, the password, the database or a parameter contains an unencoded #, /, ? or @"
    )
  }
  if (!isDecodable(rest)) {
    return refuse("must be percent-encoded: it contains an invalid % sequence; write a literal % as %25")
  }
  const rewritten = moveHostsToParameters(url)
  if (rewritten === undefined || !URL.canParse(rewritten)) return refuse("must have a valid host and port")
  const parsed = new URL(rewritten)
  if (parsed.port === "0") return refuse("must have a valid host and port")
  const problem = problemOfEachParameter(parsed.searchParams)
  return problem === undefined ? Result.succeed(parsed) : refuse(problem)
}

/**
 * Validates a libpq URI. Returns it in a form that `URL` can parse: several hosts are in the parameters `host` and
 * `port`.
 */
export const validateDatabaseUrl = (url: string): Result.Result<Redacted.Redacted, InvalidDatabaseUrl> =>
  Result.flatMap(validateIncompleteUrl(url), ({ searchParams }) => {
    const problem = problemOfCombination(searchParams)
    return problem === undefined ? Result.succeed(Redacted.make(moveHostsToParameters(url) ?? url)) : refuse(problem)
  })
