import { Schema } from "effect"

/** The request header that makes a change conditional. */
export const ifMatch = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "The `ETag` you last read. The response is 412 if the record has changed since."
    })
  )
}

/** The request header that makes a command idempotent. */
export const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "1 to 255 visible ASCII characters that you choose. The same request with the same key is executed " +
        "once and its response is replayed for 24 hours.",
      pattern: "^[\\x21-\\x7e]{1,255}$"
    })
  )
}
