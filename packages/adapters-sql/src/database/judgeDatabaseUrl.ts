import { Redacted, Result, Schema } from "effect"

/**
 * What was given is not the URL of a PostgreSQL. It says what is wrong and holds nothing of the URL, because in one that is wrong
 * any part may be a piece of the password; `problem` continues a sentence that starts with what the URL is called.
 */
export class DatabaseUrlRefused extends Schema.TaggedError<DatabaseUrlRefused>()("DatabaseUrlRefused", {
  problem: Schema.String
}) {
  override get message(): string {
    return `The url of the database ${this.problem}.`
  }
}

const refuse = (problem: string): Result.Result<never, DatabaseUrlRefused> =>
  Result.fail(new DatabaseUrlRefused({ problem }))

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
 * Judges a libpq URI before anything is made of it: Node quotes one that it cannot read, password and all, and one with a bare
 * `/` or `?` in the password can be read, as a host that is in truth the user.
 */
export const judgeDatabaseUrl = (url: string): Result.Result<Redacted.Redacted, DatabaseUrlRefused> => {
  const rest = url.replace(scheme, "")
  if (rest === url || rest === "") {
    return refuse("has to be a PostgreSQL URL such as postgres://user:password@host:5432/database")
  }
  // User, password, host and port end at the first of these (RFC 3986, section 3.2); an @ beyond it was meant to come before.
  const [authority = ""] = rest.split(/[/?#]/, 1)
  if (/[#@]/.test(rest.slice(authority.length))) {
    return refuse(
      "has to be percent-encoded: it holds a bare # / ? or @ in the user, the password, the database or a parameter"
    )
  }
  if (!isDecodable(rest)) {
    return refuse("has to be percent-encoded: it holds a % that encodes nothing, and a % itself is written %25")
  }
  return URL.canParse(url) ? Result.succeed(Redacted.make(url)) : refuse("has to be a URL of a valid host and port")
}
