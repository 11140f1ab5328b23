import { permissions } from "@lastro/domain/access"
import { TokenRequest } from "@lastro/domain/identity"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { texts } from "./endpointParts.ts"
import { always, errorResponses } from "./errorResponses.ts"
import { TokenApi } from "./TokenApi.ts"

/** The response of the health check while the server is healthy. Otherwise, the response is an error. */
export const HealthStatus = Schema.Struct({
  status: Schema.Literal("ok").annotate({ description: "Always `ok`; an unhealthy server returns an error status" }),
  alarms: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description:
      "Readiness only, absent if there is none: the alarms of this process. An alarm ends a day after its cause was last " +
      "seen. UNTRUSTED_PROXY: a request was forwarded by a peer that is not a trusted proxy. LENDER_LEFT:CODE: the " +
      "installation no longer has the lender with this code, and the jobs of this lender wait"
  })
}).annotate({ description: "The server is healthy" })
export type HealthStatus = typeof HealthStatus.Type

/** A P-256 public key that verifies access tokens signed with ES256 (RFC 7517, RFC 7518 §6.2). */
export const PublicJwk = Schema.Struct({
  kty: Schema.Literal("EC").annotate({ description: "Key type" }),
  crv: Schema.Literal("P-256").annotate({ description: "Curve" }),
  x: Schema.String.annotate({
    description: "X coordinate, base64url",
    examples: ["f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"]
  }),
  y: Schema.String.annotate({
    description: "Y coordinate, base64url",
    examples: ["x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"]
  }),
  kid: Schema.String.annotate({
    description: "Key id (`kid` in the header of a token)",
    examples: ["0197f3a2-2809-7a0b-8c1d-7e8f9a0b1c2d"]
  }),
  alg: Schema.Literal("ES256").annotate({ description: "Signature algorithm" }),
  use: Schema.Literal("sig").annotate({ description: "Key use: signatures" })
}).annotate({ description: "Public key that verifies access tokens" })
export type PublicJwk = typeof PublicJwk.Type

/** The public keys that verify access tokens (RFC 7517 §5). */
export const JwkSet = Schema.Struct({
  keys: Schema.Array(PublicJwk).annotate({ description: "All active keys" })
}).annotate({ description: "Public keys that verify access tokens (RFC 7517 §5)" })
export type JwkSet = typeof JwkSet.Type

const url = (description: string, path = "") =>
  Schema.String.annotate({ description, format: "uri", examples: [`https://api.lastro.example${path}`] })

const names = (description: string, ...example: ReadonlyArray<string>) =>
  Schema.Array(Schema.String).annotate({ description, examples: [example] })

/** OAuth 2 metadata of the server (RFC 8414 §2). */
export const AuthorizationServerMetadata = Schema.Struct({
  issuer: url("Issuer of the tokens (`iss`)"),
  token_endpoint: url("Token endpoint", "/api/v1/oauth/token"),
  revocation_endpoint: url("Revocation endpoint", "/api/v1/oauth/revoke"),
  jwks_uri: url("Public keys", "/.well-known/jwks.json"),
  scopes_supported: names("All permissions", ...permissions),
  response_types_supported: names("Empty: there is no authorization endpoint"),
  grant_types_supported: names("Supported grants", "client_credentials", "password", "refresh_token"),
  token_endpoint_auth_methods_supported: names(
    "Client authentication methods",
    "client_secret_basic",
    "client_secret_post"
  ),
  revocation_endpoint_auth_methods_supported: names(
    "Client authentication methods. None is needed for a token of a user",
    "client_secret_basic",
    "client_secret_post",
    "none"
  )
}).annotate({ description: "OAuth 2 authorization server metadata (RFC 8414)" })
export type AuthorizationServerMetadata = typeof AuthorizationServerMetadata.Type

/** Operations that require no token: health, and discovery for OAuth 2 clients and token verifiers. */
export class SystemApi extends HttpApiGroup.make("system").add(
  HttpApiEndpoint.get("getHealthLive", "/health/live", {
    success: HealthStatus,
    error: errorResponses(ApiErrorResponse, ["METHOD_NOT_ALLOWED", "INTERNAL_ERROR"])
  }).annotateMerge(texts(
    "Liveness",
    "Returns 200 while the process responds. It does not check dependencies."
  )),
  HttpApiEndpoint.get("getHealthReady", "/health/ready", {
    success: HealthStatus,
    error: errorResponses(ApiErrorResponse, always)
  }).annotateMerge(texts(
    "Readiness",
    "Returns 200 while the database and the job worker respond, otherwise 503. Do not route requests " +
      "to a server that is not ready."
  )),
  HttpApiEndpoint.get("getJwks", "/.well-known/jwks.json", {
    success: JwkSet,
    error: errorResponses(ApiErrorResponse, always)
  }).annotateMerge(texts(
    "Public keys",
    "Returns the keys that verify access tokens. A new key is published before it is used to sign. An old key is " +
      "removed after its last token has expired."
  )),
  HttpApiEndpoint.get("getAuthorizationServerMetadata", "/.well-known/oauth-authorization-server", {
    success: AuthorizationServerMetadata,
    error: errorResponses(ApiErrorResponse, always)
  }).annotateMerge(texts(
    "OAuth 2 metadata",
    "Returns the OAuth 2 authorization server metadata (RFC 8414)."
  ))
).annotateMerge(OpenApi.annotations({ description: "Health and discovery. No token required." })) {}

const { issueToken, revokeToken } = TokenApi.endpoints
const { getJwks } = SystemApi.endpoints

/** Returns the OAuth 2 metadata of a server (RFC 8414 §2). `issuer` is its URL without a trailing slash. */
export const authorizationServerMetadata = (issuer: string): AuthorizationServerMetadata => ({
  issuer,
  token_endpoint: `${issuer}${issueToken.path}`,
  revocation_endpoint: `${issuer}${revokeToken.path}`,
  jwks_uri: `${issuer}${getJwks.path}`,
  scopes_supported: permissions,
  response_types_supported: [],
  grant_types_supported: TokenRequest.fields.grant_type.literals,
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"]
})
