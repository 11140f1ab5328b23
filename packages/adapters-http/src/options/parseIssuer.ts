import { Result } from "effect"
import { basePathOf } from "./basePathOf.ts"
import { basePathInWords, isBasePath } from "./isBasePath.ts"
import { OptionRefused } from "./OptionRefused.ts"

const refuse = (problem: string) => Result.fail(new OptionRefused({ option: "issuer", problem }))

/**
 * The URL that clients reach an API below, as its tokens name it: http or https, with nothing that everybody may not read and nothing
 * that a path cannot follow (RFC 8414 §2). It is written as the URL standard does (host in small letters, no default port), and a
 * slash at the end is taken off.
 */
export const parseIssuer = (text: string): Result.Result<string, OptionRefused> => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return refuse("has to be an http or https URL such as https://shop.example/lending")
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("has to be without a user and a password: every token tells it")
  }
  // An empty one is none to the URL, but a character of the text.
  if (/[?#]/.test(text)) return refuse("has to be without a query and a fragment: paths follow it")
  const path = basePathOf(text)
  return isBasePath(path)
    ? Result.succeed(`${url.origin}${path}`)
    : refuse(`has to be a URL whose path is empty or such as /lending: ${basePathInWords}`)
}
