import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { always, refusals } from "./refusals.ts"

/** The server is well. */
export const HealthStatus = Schema.Struct({
  status: Schema.Literal("ok").annotate({ description: "Always `ok`; a server that is not answers another status" })
}).annotate({ description: "The server is well" })
export type HealthStatus = typeof HealthStatus.Type

/** A public key that verifies access tokens: P-256, for ES256 (RFC 7517, RFC 7518 §6.2). */
export const PublicJwk = Schema.Struct({
  kty: Schema.Literal("EC").annotate({ description: "Key type" }),
  crv: Schema.Literal("P-256").annotate({ description: "Curve" }),
  x: Schema.String.annotate({ description: "X coordinate, base64url" }),
  y: Schema.String.annotate({ description: "Y coordinate, base64url" }),
  kid: Schema.String.annotate({ description: "The key's id, which a token's header names" }),
  alg: Schema.Literal("ES256").annotate({ description: "The algorithm it is used with" }),
  use: Schema.Literal("sig").annotate({ description: "It verifies signatures" })
}).annotate({ description: "A public key that verifies access tokens" })
export type PublicJwk = typeof PublicJwk.Type

/** The public keys that verify access tokens (RFC 7517 §5). */
export const JwkSet = Schema.Struct({
  keys: Schema.Array(PublicJwk).annotate({ description: "Every live key" })
}).annotate({ description: "The public keys that verify access tokens (RFC 7517 §5)" })
export type JwkSet = typeof JwkSet.Type

const url = (description: string) => Schema.String.annotate({ description, format: "uri" })

const names = (description: string) => Schema.Array(Schema.String).annotate({ description })

/** What an OAuth 2 client has to know of this server (RFC 8414 §2). */
export const AuthorizationServerMetadata = Schema.Struct({
  issuer: url("The issuer of the tokens, `iss`"),
  token_endpoint: url("Where tokens are issued"),
  revocation_endpoint: url("Where sessions are ended"),
  jwks_uri: url("Where the public keys are"),
  scopes_supported: names("Every permission there is"),
  response_types_supported: names("None: there is no authorization endpoint"),
  grant_types_supported: names("The grants"),
  token_endpoint_auth_methods_supported: names("How an API client proves itself"),
  revocation_endpoint_auth_methods_supported: names("Whoever holds a refresh token may end it")
}).annotate({ description: "What an OAuth 2 client has to know of this server (RFC 8414)" })
export type AuthorizationServerMetadata = typeof AuthorizationServerMetadata.Type

/** What needs no token: health, and what OAuth 2 clients and token verifiers discover. */
export class SystemApi extends HttpApiGroup.make("system").add(
  HttpApiEndpoint.get("getHealthLive", "/health/live", {
    success: HealthStatus,
    error: refusals(ApiErrorResponse, ["METHOD_NOT_ALLOWED", "INTERNAL_ERROR"])
  }).annotateMerge(OpenApi.annotations({
    summary: "Is the process alive",
    description: "Answers as long as the process can answer. It looks at nothing else."
  })),
  HttpApiEndpoint.get("getHealthReady", "/health/ready", {
    success: HealthStatus,
    error: refusals(ApiErrorResponse, always)
  }).annotateMerge(OpenApi.annotations({
    summary: "Can it serve requests",
    description: "200 while the database and the workflow runner answer, else 503. Send no requests to a server that " +
      "is not ready."
  })),
  HttpApiEndpoint.get("getJwks", "/.well-known/jwks.json", {
    success: JwkSet,
    error: refusals(ApiErrorResponse, always)
  }).annotateMerge(OpenApi.annotations({
    summary: "Public keys",
    description:
      "The keys that verify access tokens. A new key stands here before it signs, an old one until its last " +
      "token has expired."
  })),
  HttpApiEndpoint.get("getAuthorizationServerMetadata", "/.well-known/oauth-authorization-server", {
    success: AuthorizationServerMetadata,
    error: refusals(ApiErrorResponse, always)
  }).annotateMerge(OpenApi.annotations({
    summary: "OAuth 2 metadata",
    description: "What an OAuth 2 client has to know of this server (RFC 8414)."
  }))
).annotateMerge(OpenApi.annotations({ description: "Health and discovery, without a token." })) {}
