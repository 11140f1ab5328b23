import { Data, Result } from "effect"

/** An invalid option of the API. The message is one line and starts with the name of the option. */
export class OptionRefused extends Data.TaggedError("OptionRefused")<{
  readonly option: "issuer" | "prefix"
  /** The problem. Completes a sentence that starts with the name of the option. */
  readonly problem: string
}> {
  override get message(): string {
    return `${this.option} ${this.problem}`
  }
}

/** Returns the path of an issuer URL, without a trailing slash. Empty for the root. */
export const basePathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, "")

/**
 * Returns whether the API can be mounted at a path: an empty path, or segments that each start with a slash. Segments
 * contain only characters that no client, proxy or router rewrites.
 */
const isBasePath = (path: string): boolean => /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/.test(path)

const allowedCharacters = "with only letters, digits, - . _ ~ after each slash"

const refuseIssuer = (problem: string) => Result.fail(new OptionRefused({ option: "issuer", problem }))

/**
 * Parses the base URL of the API, which is the issuer in access tokens. It must be an http or https URL without
 * credentials, query or fragment (RFC 8414 §2). The host is converted to lower case. A default port and a trailing
 * slash are removed.
 */
export const parseIssuer = (text: string): Result.Result<string, OptionRefused> => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return refuseIssuer("must be an http or https URL, such as https://shop.example/lending")
  }
  if (url.username !== "" || url.password !== "") {
    return refuseIssuer("must not contain a user or password: every access token contains this URL")
  }
  // Check the text, because the URL class drops an empty query or fragment.
  if (/[?#]/.test(text)) return refuseIssuer("must not contain a query or fragment: paths are appended to this URL")
  const path = basePathOf(text)
  return isBasePath(path)
    ? Result.succeed(`${url.origin}${path}`)
    : refuseIssuer(`must be a URL with an empty path or one such as /lending, ${allowedCharacters}`)
}

/** Parses the path prefix of incoming requests. Removes a trailing slash. */
export const parsePrefix = (text: string): Result.Result<string, OptionRefused> => {
  const path = text.replace(/\/$/, "")
  return isBasePath(path)
    ? Result.succeed(path)
    : Result.fail(
      new OptionRefused({
        option: "prefix",
        problem: `must be empty or a path such as /lending, ${allowedCharacters}`
      })
    )
}
