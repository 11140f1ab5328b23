import { SystemApi } from "../api/SystemApi.ts"

/**
 * Where clients look for the metadata of a server whose issuer has a path (RFC 8414 §3.1): the path comes last, so that no proxy
 * and no framework that takes it away from the beginning finds it.
 */
export const metadataPath = (basePath: string): `/${string}` =>
  `${SystemApi.endpoints.getAuthorizationServerMetadata.path}${basePath}`
