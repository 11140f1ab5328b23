import {
  CreateUserRequest,
  CreateUserResponse,
  GroupSlug,
  UpdateUserRequest,
  UserDetailResponse,
  userSortFields,
  UsersPage,
  UserStatus
} from "@lastro/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BankerizeErrorResponse } from "./ApiError.ts"
import { Bearer } from "./Bearer.ts"
import { documentFilter, idFilter, listQuery, textFilter } from "./listQuery.ts"
import { recordId } from "./pathParams.ts"
import { authenticated, body, idempotency, record, refusals } from "./refusals.ts"
import { idempotencyKey, ifMatch } from "./requestHeaders.ts"

const params = { user_uuid: recordId("The user's id", "0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051") }

/** Users: the people of the partners. */
export class UsersApi extends HttpApiGroup.make("users").add(
  HttpApiEndpoint.get("listUsers", "/", {
    query: {
      ...listQuery([...userSortFields, "full_name"]),
      full_name: textFilter("the name", "jose"),
      cpf: documentFilter("the CPF", "529.982"),
      email: textFilter("the e-mail address", "example.com"),
      partner_id: idFilter("Users of this partner only"),
      status: Schema.optionalKey(UserStatus.annotate({ description: "The user's status" })),
      group: Schema.optionalKey(GroupSlug.annotate({ description: "The slug of the user's group" }))
    },
    success: UsersPage,
    error: refusals(BankerizeErrorResponse, ["PERMISSION_DENIED", "VALIDATION_FAILED", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "List users",
    description: "A page of the users of the partners in the caller's subtree. Filters combine with AND. Sorting by " +
      "`full_name` is sorting by `name`. Needs `users:read`."
  })),
  HttpApiEndpoint.post("createUser", "/", {
    headers: idempotencyKey,
    payload: Schema.toEncoded(CreateUserRequest),
    success: CreateUserResponse.pipe(HttpApiSchema.status(201)),
    error: refusals(BankerizeErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      "OUTSIDE_HIERARCHY",
      "EMAIL_TAKEN",
      "VALIDATION_FAILED",
      ...idempotency,
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Create a user",
    description:
      "Adds a user to the caller's partner, or to `partner_id` anywhere in the caller's subtree. Without a " +
      "`password` a temporary one is made and answered this once; the user has to choose its own before anything else. " +
      "Nobody grants a group that allows more than the caller is allowed. Needs `users:write`."
  })),
  HttpApiEndpoint.get("getOwnUser", "/me", {
    success: UserDetailResponse,
    error: refusals(BankerizeErrorResponse, ["NOT_FOUND", ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Read oneself",
    description: "The user whose access token it is; every user may. An API client is no user: 404."
  })),
  HttpApiEndpoint.get("getUser", "/:user_uuid", {
    params,
    success: UserDetailResponse,
    error: refusals(BankerizeErrorResponse, ["PERMISSION_DENIED", ...record, ...authenticated])
  }).annotateMerge(OpenApi.annotations({
    summary: "Read a user",
    description: "A user of a partner in the caller's subtree, whole. Needs `users:read`, except for oneself."
  })),
  HttpApiEndpoint.patch("updateUser", "/:user_uuid", {
    params,
    headers: ifMatch,
    payload: Schema.toEncoded(UpdateUserRequest),
    success: UserDetailResponse,
    error: refusals(BankerizeErrorResponse, [
      ...body,
      "PERMISSION_DENIED",
      ...record,
      "EMAIL_TAKEN",
      "PRECONDITION_FAILED",
      "VALIDATION_FAILED",
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Change a user",
    description: "Changes the fields that are present and leaves the others alone. `cpf` is immutable: sent with its " +
      "stored value it is ignored, with another it is refused. Every user may change its own `password`, which takes " +
      "`current_password`; a password that somebody else sets is temporary. Either ends the user's sessions. Nobody " +
      "changes a user who is allowed more than the caller. A patch is all or nothing. Needs `users:write`, except for " +
      "one's own password."
  })),
  HttpApiEndpoint.delete("deleteUser", "/:user_uuid", {
    params,
    headers: ifMatch,
    success: HttpApiSchema.NoContent,
    error: refusals(BankerizeErrorResponse, [
      "PERMISSION_DENIED",
      ...record,
      "SELF_DELETE",
      "PRECONDITION_FAILED",
      ...authenticated
    ])
  }).annotateMerge(OpenApi.annotations({
    summary: "Delete a user",
    description: "Deletes a user of a partner in the caller's subtree, never oneself. Its tokens end at once and its " +
      "e-mail address may be used again. Needs `users:write`."
  }))
).prefix("/api/v1/users").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Users belong to one partner and one group; the group says what they may do."
})) {}
