import { Data, Option, Result } from "effect"
import { addressOf, mayAsk } from "./lenderAddress.ts"

/** A URL at which no lender is asked. Which one is not said: it may hold a secret. */
export class LenderUrlRefused extends Data.TaggedError("LenderUrlRefused")<{
  readonly reason:
    | "NOT_A_URL"
    /** Neither `https:` nor `http:`. */
    | "SCHEME"
    /** A user or a password, which would be seen in traces: give a token instead. */
    | "CREDENTIALS"
    /** A query or a fragment, which the paths of the protocol cannot follow. */
    | "QUERY"
    /** An address that may not be asked, or not unencrypted. */
    | "ADDRESS"
}> {}

/** The URL of a lender, if that is where one may be asked. Where it is a name that leads is judged at each connection. */
export const judgeLenderUrl = (text: string, allowPrivateNetwork: boolean): Result.Result<URL, LenderUrlRefused> => {
  const refused = (reason: LenderUrlRefused["reason"]) => Result.fail(new LenderUrlRefused({ reason }))
  const url = URL.parse(text)
  if (url === null) return refused("NOT_A_URL")
  const { hash, hostname, password, protocol, search, username } = url
  if (protocol !== "https:" && protocol !== "http:") return refused("SCHEME")
  if (username !== "" || password !== "") return refused("CREDENTIALS")
  if (search !== "" || hash !== "") return refused("QUERY")
  const encrypted = protocol === "https:"
  if (!encrypted && !allowPrivateNetwork) return refused("ADDRESS")
  return Option.exists(addressOf(hostname), (address) => !mayAsk(encrypted, allowPrivateNetwork, address))
    ? refused("ADDRESS")
    : Result.succeed(url)
}
