import { GroupSlug } from "@lastro/domain/access"
import {
  ClientDetailResponse,
  ClientSecretResponse,
  ClientsPage,
  ClientStatus,
  CreateClientRequest,
  RotateClientRequest
} from "@lastro/domain/client"
import { clientSortFields } from "@lastro/domain/identity"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ApiErrorResponse } from "./ApiError.ts"
import { Bearer, idempotencyKey, ifMatch, texts } from "./endpointParts.ts"
import { command, deletion, errorResponses, list, read, recordCommand } from "./errorResponses.ts"
import { formatQuery, listQuery, partnerFilters, textFilter } from "./listQuery.ts"

const params = {
  client_id: Schema.String.annotate({
    description: "The `client_id` of the API client",
    pattern: "^[A-Za-z0-9._-]{1,64}$"
  })
}

/** API clients of partners. */
export class ClientsApi extends HttpApiGroup.make("clients").add(
  HttpApiEndpoint.get("listClients", "/", {
    query: {
      ...listQuery(clientSortFields),
      ...formatQuery,
      name: textFilter("the name"),
      ...partnerFilters("API clients"),
      group: Schema.optionalKey(GroupSlug.annotate({ description: "The slug of the client's group" })),
      status: Schema.optionalKey(ClientStatus)
    },
    success: ClientsPage,
    error: errorResponses(ApiErrorResponse, list)
  }).annotateMerge(texts(
    "List API clients",
    "Returns a page of the API clients in the caller's subtree, revoked ones included. Filters combine with AND. " +
      "Requires `clients:write`."
  )),
  HttpApiEndpoint.post("createClient", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreateClientRequest),
    success: ClientSecretResponse.pipe(HttpApiSchema.status(201)),
    error: errorResponses(ApiErrorResponse, command("OUTSIDE_HIERARCHY"))
  }).annotateMerge(texts(
    "Create an API client",
    "Creates an API client of the caller's partner, or of `partner_id` in the caller's subtree. The response contains " +
      "the secret, which is not returned again. You cannot assign a group with permissions that you lack. Requires " +
      "`clients:write`."
  )),
  HttpApiEndpoint.get("getClient", "/:client_id", {
    params,
    success: ClientDetailResponse,
    error: errorResponses(ApiErrorResponse, read())
  }).annotateMerge(texts(
    "Get an API client",
    "Returns an API client in the caller's subtree. Requires `clients:write`."
  )),
  HttpApiEndpoint.delete("revokeClient", "/:client_id", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: errorResponses(ApiErrorResponse, deletion("SELF_DELETE"))
  }).annotateMerge(texts(
    "Revoke an API client",
    "Revokes an API client permanently. Its secrets and tokens are refused immediately. The record stays, with the " +
      "status `REVOKED`; another revocation is 404. A client cannot revoke itself. You cannot revoke a client with " +
      "permissions that you lack. Requires `clients:write`."
  )),
  HttpApiEndpoint.post("rotateClientSecret", "/:client_id/rotate-secret", {
    params,
    headers: idempotencyKey,
    payload: Schema.toEncoded(RotateClientRequest),
    success: ClientSecretResponse,
    error: errorResponses(ApiErrorResponse, recordCommand("EARLIER_SECRET_VALID"))
  }).annotateMerge(texts(
    "Rotate the secret of an API client",
    "Replaces the secret, and returns the new one. It is not returned again, also not in a replay. The old secret and " +
      "its tokens stay valid for `overlap_hours`. Only two secrets are valid at a time, so a second rotation within the " +
      "overlap is 409, unless `overlap_hours` is 0. You cannot rotate the secret of a client with permissions that you " +
      "lack. Requires `clients:write`."
  ))
).prefix("/api/v1/clients").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "An API client is a program that calls the API for a partner. Its group defines the permissions."
})) {}
