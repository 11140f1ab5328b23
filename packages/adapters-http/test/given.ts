import { groupBySlug, groupRecord, type GroupSlug, type Permission } from "@lastro/domain/access"
import {
  type ApiClient,
  ApiClientRepository,
  claimsOf,
  type PasswordHash,
  PrincipalRepository,
  TokenSigner
} from "@lastro/domain/identity"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserListItem } from "@lastro/domain/user"
import { aClient, storeUser } from "@lastro/testkit"
import { Effect } from "effect"

const fullScope = (group: GroupSlug): ReadonlyArray<Permission> => groupBySlug(group).permissions

/** Issues a token for an existing principal, as the token operation does. */
export const tokenFor = Effect.fnUntraced(function*(
  kind: "user" | "client",
  subject: string,
  group: GroupSlug,
  scope: ReadonlyArray<Permission> = fullScope(group)
) {
  const found = yield* (yield* PrincipalRepository).find(kind, subject)
  const principal = yield* Effect.orDie(Effect.fromOption(found))
  return yield* (yield* TokenSigner).sign(claimsOf(principal, group, new Set(scope)))
})

/** Creates a user of a partner, with a token. */
export const givenCaller = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  group: GroupSlug = "admin",
  fields: Partial<UserListItem> = {},
  password?: PasswordHash
) {
  const user = yield* storeUser(partner, { group: groupRecord(groupBySlug(group)), ...fields }, password)
  return { user, token: yield* tokenFor("user", user.user_id, group) }
})

/** Creates an API client of a partner, with a token. */
export const givenClient = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  secret: PasswordHash = "$none$" as PasswordHash,
  fields: Partial<ApiClient> = {}
) {
  const client = yield* aClient(fields).of(partner)
  yield* Effect.orDie((yield* ApiClientRepository).insert(client, secret))
  return { client, token: yield* tokenFor("client", client.client_id, "admin") }
})
