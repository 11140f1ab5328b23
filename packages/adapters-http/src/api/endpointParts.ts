import { Schema } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"

/** Marks the operations that require an access token (`Authorization: Bearer …`). */
export class Bearer extends HttpApiMiddleware.Service<Bearer>()("@lastro/adapters-http/api/endpointParts/Bearer", {
  security: {
    bearer: HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotateMerge(OpenApi.annotations({
      format: "JWT",
      description:
        "The access token of `POST /api/v1/oauth/token`, a signed JWT (RFC 9068). Permissions are checked on every " +
        "request, so a token can lose permissions before it expires."
    })))
  }
}) {}

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

/** A parameter with the id of a record. */
export const recordId = (description: string) => Schema.String.annotate({ description, format: "uuid" })

export const applicationId = { id: recordId("The application's id") }

/** The texts of an operation in the API document. */
export const texts = (summary: string, description: string) => OpenApi.annotations({ summary, description })
