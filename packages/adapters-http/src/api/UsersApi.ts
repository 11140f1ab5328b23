import { GroupSlug } from "@lastro/domain/access"
import { OwnPrincipalResponse } from "@lastro/domain/client"
import { ListOfGroupsResponse } from "@lastro/domain/identity"
import {
  CreateUserRequest,
  CreateUserResponse,
  UpdateUserRequest,
  UserDetailResponse,
  userSortFields,
  UsersPage,
  UserStatus
} from "@lastro/domain/user"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BankerizeErrorResponse } from "./ApiError.ts"
import { Bearer, idempotencyKey, ifMatch, recordId, texts } from "./endpointParts.ts"
import { authenticated, command, deletion, errorResponses, list, patch, read } from "./errorResponses.ts"
import { documentFilter, formatQuery, listQuery, metadataFilter, partnerFilters, textFilter } from "./listQuery.ts"

const params = { user_uuid: recordId("The user's id") }

/** Users of partners. */
export class UsersApi extends HttpApiGroup.make("users").add(
  HttpApiEndpoint.get("listUsers", "/", {
    query: {
      ...listQuery([...userSortFields, "full_name"]),
      ...formatQuery,
      full_name: textFilter("the name"),
      cpf: documentFilter("the CPF"),
      email: textFilter("the e-mail address"),
      ...partnerFilters("Users"),
      status: Schema.optionalKey(UserStatus.annotate({ description: "The user's status" })),
      group: Schema.optionalKey(GroupSlug.annotate({ description: "The slug of the user's group" })),
      metadata: metadataFilter
    },
    success: UsersPage,
    error: errorResponses(BankerizeErrorResponse, list)
  }).annotateMerge(texts(
    "List users",
    "Returns a page of the users in the caller's subtree. Filters combine with AND. `full_name` sorts by `name`. " +
      "Requires `users:read`."
  )),
  HttpApiEndpoint.post("createUser", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreateUserRequest),
    success: CreateUserResponse.pipe(HttpApiSchema.status(201)),
    error: errorResponses(BankerizeErrorResponse, command("OUTSIDE_HIERARCHY", "EMAIL_TAKEN"))
  }).annotateMerge(texts(
    "Create a user",
    "Creates a user of the caller's partner, or of `partner_id` in the caller's subtree. Without `password`, the " +
      "response contains a temporary password, which is not returned again. The user must replace this password " +
      "before doing anything else. You cannot assign a group with permissions that you lack. Requires `users:write`."
  )),
  HttpApiEndpoint.get("getOwnUser", "/me", {
    success: OwnPrincipalResponse,
    error: errorResponses(BankerizeErrorResponse, ["NOT_FOUND", ...authenticated])
  }).annotateMerge(texts(
    "Get the caller",
    "Returns the user or the API client of the access token. The record of an API client also has the permissions of " +
      "the token."
  )),
  HttpApiEndpoint.get("getUser", "/:user_uuid", {
    params,
    success: UserDetailResponse,
    error: errorResponses(BankerizeErrorResponse, read())
  }).annotateMerge(texts(
    "Get a user",
    "Returns a user in the caller's subtree. Requires `users:read`, except for your own record."
  )),
  HttpApiEndpoint.patch("updateUser", "/:user_uuid", {
    params,
    headers: ifMatch,
    payload: Schema.toEncoded(UpdateUserRequest),
    success: UserDetailResponse,
    error: errorResponses(BankerizeErrorResponse, patch("EMAIL_TAKEN", "LAST_ADMINISTRATOR"))
  }).annotateMerge(texts(
    "Update a user",
    "Changes the fields that the body contains. `metadata` is merged key by key, and `null` removes a key. `cpf` " +
      "is immutable: you may send the stored value, but any other value is rejected. Users can change their own " +
      "`password` or `email` by also sending `current_password`. Only a caller above another user can set its " +
      "password, change its `email`, `group_id` or `partner_id`, or activate it again. A caller is above if its " +
      "group has more permissions, or if both are administrators and the caller's partner is above. Such a password " +
      "is temporary. A caller cannot take the role of the last active administrator of its own partner away. A new " +
      "password ends the user's sessions. You cannot change a user with permissions that you lack. The patch is " +
      "atomic. Requires `users:write`, except for your own password."
  )),
  HttpApiEndpoint.delete("deleteUser", "/:user_uuid", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: errorResponses(BankerizeErrorResponse, deletion("SELF_DELETE", "LAST_ADMINISTRATOR"))
  }).annotateMerge(texts(
    "Delete a user",
    "Deletes a user in the caller's subtree. You cannot delete yourself. The user's tokens are revoked " +
      "immediately. The e-mail address can be reused. Requires `users:write`."
  ))
).prefix("/api/v1/users").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "A user belongs to one partner and one group. The group defines the permissions."
})) {}

/** Groups: sets of permissions. */
export class GroupsApi extends HttpApiGroup.make("groups").add(
  HttpApiEndpoint.get("listGroups", "/", {
    success: ListOfGroupsResponse,
    error: errorResponses(BankerizeErrorResponse, authenticated)
  }).annotateMerge(texts(
    "List groups",
    "Returns all groups with their permissions. Group ids are constants. Every caller may list them."
  ))
).prefix("/api/v1/groups").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Groups are fixed sets of permissions."
})) {}
