import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { texts } from "./endpointParts.ts"
import { always, errorResponses } from "./errorResponses.ts"

/** Callbacks of the lender. They require no access token. */
export class CallbacksApi extends HttpApiGroup.make("callbacks").add(
  HttpApiEndpoint.post("receiveLenderCallback", "/:lender", {
    params: {
      lender: Schema.String.annotate({ description: "The name of the lender", examples: ["qitech"] })
    },
    payload: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" })),
    success: HttpApiSchema.NoContent,
    error: errorResponses(ApiErrorResponse, [
      "MALFORMED_JSON",
      "CALLBACK_REFUSED",
      "NOT_FOUND",
      "PAYLOAD_TOO_LARGE",
      "RATE_LIMITED",
      ...always
    ])
  }).annotateMerge(texts(
    "Receive a callback of the lender",
    "Receives a callback (webhook) of the lender. The body can have any media type. The lender is authenticated by a " +
      "signature or a secret, as its own documentation describes. A callback only makes the server request the current state " +
      "from the lender: its content is not trusted. The response is 204 for every authentic callback, also if it names nothing " +
      "that the server knows. It is safe to repeat."
  ))
).prefix("/api/v1/lender-callbacks").annotateMerge(OpenApi.annotations({
  description: "Callbacks of the lender. No token required: the lender signs its callbacks."
})) {}
