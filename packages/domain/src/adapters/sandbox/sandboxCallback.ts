import { Result, Schema } from "effect"
import { CallbackRefused, type CallbackTarget, type LenderCallback } from "../../lender/LenderCallback.ts"
import { ProposalId, QuoteId } from "../../values/ids.ts"

/** The bearer token of callbacks to the sandbox. It is public, because the sandbox has nothing to protect. */
const sandboxCallbackToken = "sandbox"

const Body = Schema.fromJsonString(Schema.Struct({
  quote_id: Schema.optionalKey(QuoteId),
  callback_key: Schema.optionalKey(Schema.String),
  proposal_id: Schema.optionalKey(ProposalId),
  reference: Schema.optionalKey(Schema.String)
}))

/** Decodes a body as ASCII, because keys and ids are ASCII. */
const textOf = (body: Uint8Array): string => Array.from(body, (code) => String.fromCharCode(code)).join("")

const decodeBody = Schema.decodeUnknownResult(Body)

/**
 * A callback to the sandbox has the header `authorization: Bearer sandbox`, and names a quote or a contract in a JSON
 * object with `quote_id`, `callback_key`, `proposal_id` or `reference`. Anybody can send it, for example to resume a
 * quote of a CPF that ends in 77.
 * @rule SANDBOX-12
 */
export const sandboxCallback = (
  { body, headers }: Pick<LenderCallback, "body" | "headers">
): Result.Result<ReadonlyArray<CallbackTarget>, CallbackRefused> => {
  if (headers["authorization"] !== `Bearer ${sandboxCallbackToken}`) {
    return Result.fail(new CallbackRefused({ detail: "the bearer token is not that of the sandbox" }))
  }
  return Result.succeed(Result.match(decodeBody(textOf(body)), {
    onFailure: () => [],
    onSuccess: ({ callback_key, proposal_id, quote_id, reference }): ReadonlyArray<CallbackTarget> => [
      ...(quote_id === undefined ? [] : [{ kind: "quote", quote_id } as const]),
      ...(callback_key === undefined ? [] : [{ kind: "quote", callback_key } as const]),
      ...(proposal_id === undefined ? [] : [{ kind: "contract", proposal_id } as const]),
      ...(reference === undefined ? [] : [{ kind: "contract", reference } as const])
    ]
  }))
}
