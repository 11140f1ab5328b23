import { Schema } from "effect"

/** The header that makes a change happen only while the record is in the state it was read in. */
export const ifMatch = {
  "if-match": Schema.optionalKey(
    Schema.String.annotate({
      description: "The `ETag` of the record as it was read. While the record is in another state: 412.",
      examples: ["\"Yk3vT0m9QdW1bX7fRz2LhA\""]
    })
  )
}

/** The header that makes a request happen at most once, however often it is sent. */
export const idempotencyKey = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description: "1 to 255 visible ASCII characters, chosen by the caller: the same request with the same key is " +
        "carried out once. Kept for 24 hours from the first success.",
      pattern: "^[\\x21-\\x7e]{1,255}$",
      examples: ["5f0c2b8e-order-1138"]
    })
  )
}
