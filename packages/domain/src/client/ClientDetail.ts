import { Schema } from "effect"
import { Group, groupBySlug, GroupName, groupRecord, groupWithId } from "../access/Group.ts"
import { Permission } from "../access/Permission.ts"
import { type ApiClient } from "../identity/ApiClient.ts"
import { field } from "../input/field.ts"
import { pageSchema } from "../input/Page.ts"
import { wholeNumber } from "../input/wholeNumber.ts"
import { UserDetail } from "../user/UserDetail.ts"
import { PartnerId } from "../values/ids.ts"
import { Name } from "../values/Name.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** The status of an API client. */
export const ClientStatus = Schema.Literals(["ACTIVE", "REVOKED"]).annotate({
  description: "`REVOKED`: the client cannot sign in, and its tokens are refused."
})
export type ClientStatus = typeof ClientStatus.Type

const own = {
  client_id: field(
    Schema.String,
    "The `client_id` with which the client signs in",
    "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
  ),
  name: field(Schema.String, "Name for people, 2 to 120 characters", "Integração ERP"),
  partner_id: field(PartnerId, "The id of the client's partner"),
  group: field(Group, "The client's group, without its permissions", groupRecord(groupBySlug("operator")))
}

/** An API client in its form in responses. */
export const ClientDetail = Schema.Struct({
  ...own,
  status: ClientStatus,
  created_at: field(Timestamp, "When the record was created")
}).annotate({ identifier: "ApiClient", description: "An API client: a program that calls the API for a partner" })
export interface ClientDetail extends Schema.Schema.Type<typeof ClientDetail> {}

/** A page of API clients. */
export const ClientsPage = pageSchema(ClientDetail, "ApiClientsPage")
export type ClientsPage = typeof ClientsPage.Type

/** Converts an API client to its form in responses. */
export const clientDetail = (
  { client_id, created_at, group_id, name, partner_id, revoked_at }: ApiClient
): ClientDetail => ({
  client_id,
  name,
  partner_id,
  group: groupRecord(groupWithId(group_id)),
  status: revoked_at === null ? "ACTIVE" : "REVOKED",
  created_at
})

const client_secret = field(
  Schema.optionalKey(Schema.String),
  "The new secret. It is returned only here, and not in a replay.",
  "qk3Jm0yVb5Qe7nTzH2xWcR8uLd4sKp9aFg6iYo1NvXE"
)

/** An API client with its new secret. */
export interface ClientWithSecret extends ClientDetail {
  /** Absent in a replay. */
  readonly client_secret?: string
}

/** The response to the creation of an API client, and to the rotation of its secret. */
export const ClientSecretResponse = Schema.Struct({ data: ClientDetail, client_secret }).annotate({
  identifier: "ApiClientSecretResponse",
  description: "The API client, and its new secret"
})

/** The response to reading an API client. */
export const ClientDetailResponse = Schema.Struct({ data: ClientDetail }).annotate({
  identifier: "ApiClientResponse",
  description: "The API client"
})

/** The request body that creates an API client. */
export const CreateClientRequest = Schema.Struct({
  name: Name,
  group_id: field(
    GroupName,
    "The id or slug of the client's group. It must not have a permission that the caller lacks."
  ),
  partner_id: field(
    Schema.optionalKey(PartnerId),
    "The id of the client's partner, in the caller's subtree. Default: the caller's own partner."
  )
}).annotate({ identifier: "CreateApiClientRequest", description: "Request body that creates an API client" })
export interface CreateClientRequest extends Schema.Schema.Type<typeof CreateClientRequest> {}

/** The optional request body that rotates the secret of an API client. */
export const RotateClientRequest = Schema.Struct({
  overlap_hours: field(
    Schema.optionalKey(wholeNumber({ min: 0, max: 720 })),
    "Hours for which the old secret and its tokens stay valid. 0 ends every old secret at once. Default: 24.",
    24
  )
}).annotate({
  identifier: "RotateApiClientSecretRequest",
  description: "Request body that rotates the secret of an API client"
})
export interface RotateClientRequest extends Schema.Schema.Type<typeof RotateClientRequest> {}

/** The API client that makes the request, with the permissions of its access token. */
export const OwnClient = Schema.Struct({
  ...own,
  permissions: field(Schema.Array(Permission), "The permissions of the access token")
}).annotate({ identifier: "OwnApiClient", description: "The API client of the access token" })
export interface OwnClient extends Schema.Schema.Type<typeof OwnClient> {}

/** The response to reading the caller itself. */
export const OwnPrincipalResponse = Schema.Struct({ data: Schema.Union([UserDetail, OwnClient]) }).annotate({
  identifier: "OwnPrincipalResponse",
  description: "The user or the API client of the access token"
})
