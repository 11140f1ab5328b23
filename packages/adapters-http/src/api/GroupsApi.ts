import { ListOfGroupsResponse } from "@lastro/domain/identity"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BankerizeErrorResponse } from "./ApiError.ts"
import { Bearer } from "./Bearer.ts"
import { authenticated, refusals } from "./refusals.ts"

/** Groups: sets of permissions. */
export class GroupsApi extends HttpApiGroup.make("groups").add(
  HttpApiEndpoint.get("listGroups", "/", {
    success: ListOfGroupsResponse,
    error: refusals(BankerizeErrorResponse, authenticated)
  }).annotateMerge(OpenApi.annotations({
    summary: "List groups",
    description: "Returns all groups with their permissions. Group ids are constants. Every caller may list them."
  }))
).prefix("/api/v1/groups").middleware(Bearer).annotateMerge(OpenApi.annotations({
  description: "Groups are fixed sets of permissions."
})) {}
