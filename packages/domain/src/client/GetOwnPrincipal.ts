import { Effect, Option } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { Caller } from "../access/Caller.ts"
import { groupRecord, groupWithId } from "../access/Group.ts"
import { permissions } from "../access/Permission.ts"
import { judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { ApiClientRepository } from "../identity/ApiClient.ts"
import { UserRepository } from "../user/UserRepository.ts"
import { type UserId } from "../values/ids.ts"
import { type OwnClient } from "./ClientDetail.ts"

/**
 * Returns the record of the caller itself. An API client gets its permissions, too. Fails with NotFound for a user of
 * the host application.
 */
export const getOwnPrincipal = Effect.fnUntraced(function*(allowed: Allowed<"self:read">) {
  const { caller } = allowed
  if (caller.kind === "user") {
    const found = yield* (yield* UserRepository).find(scopeOf(allowed), caller.subject as UserId)
    return (yield* Effect.fromResult(judgeFound(found))).record
  }
  const client = caller.kind === "client" ? yield* (yield* ApiClientRepository).find(caller.subject) : Option.none()
  if (Option.isNone(client)) return yield* new NotFound()
  const { client_id, group_id, name, partner_id } = client.value
  const own: OwnClient = {
    client_id,
    name,
    partner_id,
    group: groupRecord(groupWithId(group_id)),
    permissions: permissions.filter((permission) => Caller.has(caller, permission))
  }
  return own
})
