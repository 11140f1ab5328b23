import { type GroupId } from "@lastro/domain/access"
import { type Credentials, type Principal, PrincipalRepository } from "@lastro/domain/identity"
import { emailKey, type PartnerId, type UserId } from "@lastro/domain/values"
import { Effect, Layer, Option } from "effect"
import { pathToRoot } from "../hierarchy/naiveForest.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type MemoryState, parentsOf, type StoredClient, type StoredUser } from "./MemoryState.ts"

interface PrincipalFields extends
  Pick<
    Principal,
    "kind" | "subject" | "active" | "credentials_version" | "must_change_password" | "previous_valid_until"
  >
{
  readonly partner_id: PartnerId
  readonly group_id: GroupId
}

/** Returns a principal, unless its partner is deleted. */
const principalOf = (state: MemoryState, fields: PrincipalFields): Option.Option<Principal> => {
  const path = pathToRoot(parentsOf(state), fields.partner_id)
  const root_id = path.at(-1)
  return root_id === undefined || state.partners.get(fields.partner_id)?.deleted_at !== null
    ? Option.none()
    : Option.some({
      ...fields,
      root_id,
      partners_active: path.every((id) => state.partners.get(id)?.partner.status === "active")
    })
}

const ofUser = (state: MemoryState, stored: StoredUser | undefined): Option.Option<Credentials> =>
  stored === undefined || stored.deleted_at !== null
    ? Option.none()
    : Option.map(
      principalOf(state, {
        kind: "user",
        subject: stored.user.user_id,
        partner_id: stored.user.partner_id,
        group_id: stored.user.group.group_id,
        active: stored.user.status === "ACTIVE",
        credentials_version: stored.credentials_version,
        must_change_password: stored.user.must_change_password
      }),
      (principal) => ({ principal, hash: stored.password })
    )

const ofClient = (state: MemoryState, stored: StoredClient | undefined): Option.Option<Credentials> =>
  stored === undefined || stored.client.revoked_at !== null
    ? Option.none()
    : Option.map(
      principalOf(state, {
        kind: "client",
        subject: stored.client.client_id,
        partner_id: stored.client.partner_id,
        group_id: stored.client.group_id,
        active: true,
        credentials_version: stored.credentials_version,
        ...(stored.previous === null ? {} : { previous_valid_until: stored.previous.valid_until }),
        must_change_password: false
      }),
      (principal) => ({
        principal,
        hash: stored.secret,
        ...(stored.previous === null ? {} : { previous_hash: stored.previous.secret })
      })
    )

/** In-memory `PrincipalRepository`. */
export const layer = Layer.effect(
  PrincipalRepository,
  Effect.map(MemoryDatabase, ({ state }) => {
    const find = (kind: Principal["kind"], subject: string) =>
      Effect.map(state, (now) =>
        Option.map(
          kind === "user"
            ? ofUser(now, now.users.get(subject as UserId))
            : ofClient(now, now.clients.get(subject)),
          ({ principal }) => principal
        ))
    return PrincipalRepository.of({
      find,
      findWhile: (kind, subject, meanwhile) => Effect.zip(find(kind, subject), meanwhile),
      findByEmail: (email) =>
        Effect.map(state, (now) =>
          ofUser(
            now,
            Array.from(now.users.values()).find(({ deleted_at, user }) =>
              deleted_at === null && emailKey(user.email) === emailKey(email)
            )
          )),
      findByClientId: (client_id) => Effect.map(state, (now) => ofClient(now, now.clients.get(client_id)))
    })
  })
)
