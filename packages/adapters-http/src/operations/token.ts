import { issueToken, revokeToken, TokenRefused } from "@lastro/domain/identity"
import { Effect, Redacted } from "effect"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { readParameters, readTokenParameters } from "./tokenParameters.ts"

const answer = (body: unknown): Encoded => ({ status: 200, headers: {}, body })

/** The token operations, by their endpoint names in the API definition. */
export const tokenOperations = {
  issueToken: Effect.fnUntraced(function*({ request }: Exchange) {
    return answer(yield* issueToken(yield* readTokenParameters(request)))
  }),
  /** Revokes a token. Does nothing if the token is unknown (RFC 7009 §2.2), and ignores `token_type_hint`. */
  revokeToken: Effect.fnUntraced(function*({ request }: Exchange) {
    const { token } = yield* readParameters(request)
    if (typeof token !== "string" || token === "") {
      return yield* new TokenRefused({ error: "invalid_request", description: "The parameter token is missing." })
    }
    yield* revokeToken(Redacted.make(token))
    return answer(undefined)
  })
}
