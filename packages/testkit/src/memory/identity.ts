import { type GroupId, groupWithId } from "@lastro/domain/access"
import {
  type AccessClaims,
  accessTokenSeconds,
  type ApiClient,
  ApiClientRepository,
  type ClientFilters,
  ClientIdTaken,
  type ClientSortField,
  type Credentials,
  type FailedLogin,
  LoginAttempts,
  passwordClientId,
  type Principal,
  PrincipalRepository,
  type RefreshToken,
  RefreshTokenRepository,
  SigningKeyRepository,
  TokenSigner,
  Unauthenticated
} from "@lastro/domain/identity"
import { emailKey, type PartnerId, type Timestamp, type UserId } from "@lastro/domain/values"
import { Clock, Effect, Layer, Option, Redacted, Ref, Result } from "effect"
import { digest } from "./hashers.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, type MemoryState, put, type StoredClient, type StoredUser, withoutEntry } from "./MemoryState.ts"
import { placeOf } from "./partner.ts"
import { exportRows, ListOrder, listRows, matchesText, matchesValue } from "./readSlice.ts"

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
const principalOf = (state: MemoryState, fields: PrincipalFields): Option.Option<Principal> =>
  Option.map(Option.fromUndefinedOr(placeOf(state, fields.partner_id)), (place) => ({ ...fields, ...place }))

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

/** Returns whether a session has ended: a user's session without a live refresh token, or a client's ended session. */
const hasEnded = ({ endedSessions, refreshTokens }: MemoryState, kind: Principal["kind"], session: string) => {
  if (kind === "client") return endedSessions.has(session)
  const tokens = Array.from(refreshTokens.values()).filter(({ family_id }) => family_id === session)
  return tokens.every(({ revoked_at }) => revoked_at !== null)
}

/** In-memory `PrincipalRepository`. */
export const layerPrincipalRepository = Layer.effect(
  PrincipalRepository,
  Effect.map(MemoryDatabase, ({ state }) => {
    const find = (kind: Principal["kind"], subject: string, session?: string) =>
      Effect.map(state, (now) =>
        Option.map(
          kind === "user"
            ? ofUser(now, now.users.get(subject as UserId))
            : ofClient(now, now.clients.get(subject)),
          ({ principal }): Principal =>
            session !== undefined && hasEnded(now, kind, session)
              ? { ...principal, session_ended: true }
              : principal
        ))
    return PrincipalRepository.of({
      find,
      findWhile: (kind, subject, meanwhile, session) => Effect.zip(find(kind, subject, session), meanwhile),
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

/** The API clients whose partner is not deleted. */
const placedClients = (state: MemoryState): ReadonlyArray<ApiClient> =>
  Array.from(state.clients.values(), ({ client }) => client)
    .filter(({ partner_id }) => placeOf(state, partner_id) !== undefined)

const passes = ({ group, name, partner_id, status }: ClientFilters) => (client: ApiClient): boolean =>
  matchesText(client.name, name) &&
  matchesValue(client.partner_id, partner_id) &&
  matchesValue(groupWithId(client.group_id).slug, group) &&
  matchesValue(client.revoked_at === null ? "ACTIVE" : "REVOKED", status)

const inOrder = new ListOrder<ApiClient, ClientSortField>(
  { created_at: ({ created_at }) => created_at, name: ({ name }) => name },
  ({ client_id }) => client_id
)

/** In-memory `ApiClientRepository`. */
export const layerApiClientRepository = Layer.effect(
  ApiClientRepository,
  Effect.map(MemoryDatabase, ({ change, state, update }) => {
    const replace = (client_id: string, change: (stored: StoredClient) => StoredClient) =>
      update((now) => alter(now, "clients", client_id, change))
    const find = (client_id: string) =>
      Effect.map(state, ({ clients }) => Option.fromUndefinedOr(clients.get(client_id)?.client))
    return ApiClientRepository.of({
      list: listRows(state, { rows: placedClients, passes, inOrder }),
      exportAll: exportRows(state, { rows: placedClients, passes, inOrder }),
      listAll: Effect.map(state, ({ clients }) => Array.from(clients.values(), ({ client }) => client)),
      find,
      // No lock is needed, because units of work run one at a time.
      findForUpdate: find,
      insert: (client, secret) =>
        change((now) => {
          const { client_id } = client
          return client_id === passwordClientId || now.clients.has(client_id)
            ? Result.fail(new ClientIdTaken())
            : Result.succeed(put(now, "clients", client_id, { client, secret, credentials_version: 1, previous: null }))
        }),
      setSecret: (client_id, secret, valid_until = null) =>
        replace(client_id, (stored) => ({
          ...stored,
          secret,
          credentials_version: stored.credentials_version + 1,
          previous: valid_until === null ? null : { secret: stored.secret, valid_until }
        })),
      replaceHash: (client_id, verified, hash) =>
        replace(client_id, (stored) => stored.secret === verified ? { ...stored, secret: hash } : stored),
      endSession: (session, at) => update((now) => put(now, "endedSessions", session, at)),
      revoke: (client_id, at) =>
        replace(client_id, (stored) => ({ ...stored, client: { ...stored.client, revoked_at: at } }))
    })
  })
)

const maxFailures = 50
const maxFailuresPerAddress = 5

const newestFirst = (self: FailedLogin, that: FailedLogin): number => {
  if (self.at === that.at) return 0
  return self.at < that.at ? 1 : -1
}

/** In-memory `LoginAttempts`. Failed sign-ins are stored outside the units of work, so a rollback keeps them. */
export const layerLoginAttempts = Layer.effect(
  LoginAttempts,
  Effect.map(MemoryDatabase, ({ failedLogins, state }) =>
    LoginAttempts.of({
      failures: (username, ip, since) =>
        Effect.map(Effect.all([Ref.get(failedLogins), state]), ([all, { erasedLogins }]) => {
          const recent = all.filter((login) =>
            login.username === username && login.at >= since && !erasedLogins.has(login)
          )
            .toSorted(newestFirst)
          const ofAddress = recent.filter((login) => login.ip === ip).slice(0, maxFailuresPerAddress)
          const others = recent.filter((login) => !ofAddress.includes(login)).slice(0, maxFailures - ofAddress.length)
          return [...ofAddress, ...others].toSorted(newestFirst)
        }),
      record: (failure) => Ref.update(failedLogins, (all) => [...all, failure]),
      clear: (username, ip) =>
        Ref.update(failedLogins, (all) => all.filter((login) => login.username !== username || login.ip !== ip))
    }))
)

const keyOf = (token: Redacted.Redacted): string => digest(Redacted.value(token))

/** In-memory `RefreshTokenRepository`. */
export const layerRefreshTokenRepository = Layer.effect(
  RefreshTokenRepository,
  Effect.map(MemoryDatabase, ({ state, update }) => {
    const revoke = (ends: (token: RefreshToken) => boolean, at: Timestamp) =>
      update((now) => {
        const refreshTokens = new Map(now.refreshTokens)
        for (const [key, token] of refreshTokens) {
          if (token.revoked_at === null && ends(token)) refreshTokens.set(key, { ...token, revoked_at: at })
        }
        return { ...now, refreshTokens }
      })
    return RefreshTokenRepository.of({
      insert: (token, record) => update((now) => put(now, "refreshTokens", keyOf(token), record)),
      findForUpdate: (token) =>
        Effect.map(state, ({ refreshTokens }) => Option.fromUndefinedOr(refreshTokens.get(keyOf(token)))),
      spend: (token, spent_at, spent_by) =>
        update((now) => alter(now, "refreshTokens", keyOf(token), (stored) => ({ ...stored, spent_at, spent_by }))),
      revokeFamily: (family_id, at) => revoke((token) => token.family_id === family_id, at),
      // No lock is needed, because units of work run one at a time.
      lockUser: () => Effect.void,
      revokeUser: (user, at) => revoke((token) => token.user_id === user, at)
    })
  })
)

/** In-memory `SigningKeyRepository`. */
export const layerSigningKeyRepository = Layer.effect(
  SigningKeyRepository,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    SigningKeyRepository.of({
      // No lock is needed, because units of work run one at a time.
      lock: Effect.void,
      all: Effect.map(state, ({ signingKeys }) => Array.from(signingKeys.values())),
      insert: (key, { onlyIfEmpty }) =>
        update((now) => onlyIfEmpty && now.signingKeys.size > 0 ? now : put(now, "signingKeys", key.kid, key)),
      retire: (kid, retired_at) => update((now) => alter(now, "signingKeys", kid, (key) => ({ ...key, retired_at }))),
      remove: (kid) => update((now) => ({ ...now, signingKeys: withoutEntry(now.signingKeys, kid) }))
    }))
)

interface Issued {
  readonly claims: AccessClaims
  readonly expiresAt: number
}

/**
 * In-memory `TokenSigner`. Tokens are unsigned, and only the signer that issued a token accepts it. They expire by
 * Effect's clock.
 */
export const layerTokenSigner = Layer.effect(
  TokenSigner,
  Effect.map(Ref.make<ReadonlyMap<string, Issued>>(new Map()), (tokens) =>
    TokenSigner.of({
      sign: Effect.fnUntraced(function*(claims) {
        const expiresAt = (yield* Clock.currentTimeMillis) + accessTokenSeconds * 1000
        return yield* Ref.modify(tokens, (issued) => {
          const token = `memory-token-${String(issued.size + 1).padStart(12, "0")}`
          return [token, new Map(issued).set(token, { claims, expiresAt })]
        })
      }),
      verify: Effect.fnUntraced(function*(token) {
        const issued = (yield* Ref.get(tokens)).get(token)
        if (issued === undefined) return yield* new Unauthenticated({ reason: "signature" })
        return (yield* Clock.currentTimeMillis) < issued.expiresAt
          ? issued.claims
          : yield* new Unauthenticated({ reason: "expired" })
      })
    }))
)
