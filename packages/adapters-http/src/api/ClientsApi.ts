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
import { Bearer, idempotencyKey, ifMatch } from "./endpointParts.ts"
import { authenticated, body, errorResponses, idempotency, record } from "./errorResponses.ts"
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
    error: errorResponses(ApiErrorResponse, ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "List API clients",
    description:
      "Returns a page of the API clients in the caller's subtree, revoked ones included. Filters combine with AND. " +
      "Requires `clients:write`."
  })),
  HttpApiEndpoint.post("createClient", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreateClientRequest),
    success: ClientSecretResponse.pipe(HttpApiSchema.status(201)),
    error: errorResponses(ApiErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      "OUTSIDE_HIERARCHY",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Create an API client",
    description:
      "Creates an API client of the caller's partner, or of `partner_id` in the caller's subtree. The response contains " +
      "the secret, which is not returned again. You cannot assign a group with permissions that you lack. Requires " +
      "`clients:write`."
  })),
  HttpApiEndpoint.get("getClient", "/:client_id", {
    params,
    success: ClientDetailResponse,
    error: errorResponses(ApiErrorResponse, ["PERMISSION_DENIED", ...record, ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Get an API client",
    description: "Returns an API client in the caller's subtree. Requires `clients:write`."
  })),
  HttpApiEndpoint.delete("revokeClient", "/:client_id", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: errorResponses(ApiErrorResponse, [
      "PERMISSION_DENIED",
      ...record,
      "SELF_DELETE",
      "PRECONDITION_FAILED",
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Revoke an API client",
    description:
      "Revokes an API client permanently. Its secrets and tokens are refused immediately. The record stays, with the " +
      "status `REVOKED`; another revocation is 404. A client cannot revoke itself. You cannot revoke a client with " +
      "permissions that you lack. Requires `clients:write`."
  })),
  HttpApiEndpoint.post("rotateClientSecret", "/:client_id/rotate-secret", {
    params,
    headers: idempotencyKey,
    payload: Schema.toEncoded(RotateClientRequest),
    success: ClientSecretResponse,
    error: errorResponses(ApiErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      ...record,
      "EARLIER_SECRET_VALID",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Rotate the secret of an API client",
    description:
      "Replaces the secret, and returns the new one. It is not returned again, also not in a replay. The old secret and " +
      "its tokens stay valid for `overlap_hours`. Only two secrets are valid at a time, so a second rotation within the " +
      "overlap is 409, unless `overlap_hours` is 0. You cannot rotate the secret of a client with permissions that you " +
      "lack. Requires `clients:write`."
  }))
).prefix("/api/v1/clients").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "An API client is a program that calls the API for a partner. Its group defines the permissions."
})) {}
