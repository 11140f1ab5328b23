import { issueToken, revokeToken, TokenRefused } from "@lastro/domain"
import { Effect, Redacted } from "effect"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Exchange } from "../pipeline/Exchange.ts"
import { readParameters, readTokenParameters } from "./tokenParameters.ts"

const answer = (body: unknown): Encoded => ({ status: 200, headers: {}, body })

/** The operations on tokens, by their names in the API definition. */
export const tokenOperations = {
  issueToken: Effect.fnUntraced(function*({ request }: Exchange) {
    return answer(yield* issueToken(yield* readTokenParameters(request)))
  }),
  /** An unknown token is no error (RFC 7009 §2.2), and neither is one whose kind is not the one hinted at. */
  revokeToken: Effect.fnUntraced(function*({ request }: Exchange) {
    const { token } = yield* readParameters(request)
    if (typeof token !== "string" || token === "") {
      return yield* new TokenRefused({ error: "invalid_request", description: "token is missing." })
    }
    yield* revokeToken(Redacted.make(token))
    return answer(undefined)
  })
}
