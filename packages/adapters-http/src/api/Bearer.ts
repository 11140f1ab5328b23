import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"

/** Marks operations that require an access token: `Authorization: Bearer …`. */
export class Bearer extends HttpApiMiddleware.Service<Bearer>()("@lastro/adapters-http/api/Bearer", {
  security: {
    bearer: HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotateMerge(OpenApi.annotations({
      format: "JWT",
      description:
        "The access token of `POST /api/v1/oauth/token`, a signed JWT (RFC 9068). Permissions are checked on every " +
        "request, so a token can lose permissions before it expires."
    })))
  }
}) {}
