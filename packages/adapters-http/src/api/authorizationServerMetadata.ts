import { permissions } from "@lastro/domain/access"
import { TokenRequest } from "@lastro/domain/identity"
import { type AuthorizationServerMetadata, SystemApi } from "./SystemApi.ts"
import { TokenApi } from "./TokenApi.ts"

const { issueToken, revokeToken } = TokenApi.endpoints
const { getJwks } = SystemApi.endpoints

/** Makes the OAuth 2 metadata of a server (RFC 8414 §2). `issuer` is its URL without a trailing slash. */
export const authorizationServerMetadata = (issuer: string): AuthorizationServerMetadata => ({
  issuer,
  token_endpoint: `${issuer}${issueToken.path}`,
  revocation_endpoint: `${issuer}${revokeToken.path}`,
  jwks_uri: `${issuer}${getJwks.path}`,
  scopes_supported: permissions,
  response_types_supported: [],
  grant_types_supported: TokenRequest.fields.grant_type.literals,
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  revocation_endpoint_auth_methods_supported: ["none"]
})
