import { type Caller, formatScope, groups, type GroupWithPermissions, permissions } from "@lastro/domain/access"
import {
  type AccessClaims,
  accessTokenSeconds,
  type ApiClient,
  claimsOf,
  type FailedLogin,
  type Principal,
  type RefreshToken,
  refreshTokenDays,
  type SigningKey,
  type TokenRequest,
  type TokenResponse
} from "@lastro/domain/identity"
import { type PartnerId, type Timestamp, timestampOf } from "@lastro/domain/values"
import * as fc from "fast-check"
import { makeCaller } from "../access/makeCaller.ts"
import { email, personName } from "./documents.ts"
import { partnerId, timestamp } from "./partners.ts"
import { groupId, password, userId } from "./users.ts"

const uuid = fc.uuid({ version: 7 })

const base64url = (length: number) =>
  fc.string({
    unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
    minLength: length,
    maxLength: length
  })

/** An instant up to `days` days after `at`, or null. */
const nullOrAfter = (at: Timestamp, days: number): fc.Arbitrary<Timestamp | null> =>
  fc.option(fc.nat({ max: days * 86_400_000 }).map((pause) => timestampOf(Date.parse(at) + pause)), { freq: 2 })

/** Groups with their permissions. */
export const groupWithPermissions: fc.Arbitrary<GroupWithPermissions> = fc.constantFrom(...groups)

/** Ids of API clients. */
export const clientId: fc.Arbitrary<string> = fc.oneof(
  uuid,
  fc.string({ unit: fc.constantFrom(..."abcXYZ019._-"), minLength: 1, maxLength: 64 })
)

/** API clients of every group, live and revoked. */
export const apiClient: fc.Arbitrary<ApiClient> = fc.record({
  client_id: clientId,
  name: personName,
  partner_id: partnerId,
  group_id: groupId,
  created_at: timestamp
}).chain((client) => nullOrAfter(client.created_at, 900).map((revoked_at) => ({ ...client, revoked_at })))

/**
 * Callers who belong to a partner in the tree of `root_id`: users, API clients and users of the host application, of
 * every group, with all or some of the permissions of the group. A few users have to change their password.
 */
export const callerOf = (
  { partner_id, root_id }: { readonly partner_id: PartnerId; readonly root_id: PartnerId }
): fc.Arbitrary<Caller> =>
  fc.constantFrom(...groups).chain(({ permissions, slug }) =>
    fc.record({
      subject: userId,
      kind: fc.constantFrom("user" as const, "client" as const, "host" as const),
      partner_id: fc.constant(partner_id),
      root_id: fc.constant(root_id),
      group: fc.constant(slug),
      permissions: fc.oneof(
        { weight: 3, arbitrary: fc.constant(new Set(permissions)) },
        { weight: 1, arbitrary: fc.subarray([...permissions]).map((some) => new Set(some)) }
      ),
      must_change_password: fc.nat({ max: 9 }).map((one) => one === 0)
    })
  ).map((fields) =>
    makeCaller({ ...fields, must_change_password: fields.kind === "user" && fields.must_change_password })
  )

/** Callers who belong to root partners or to other partners: see {@link callerOf}. */
export const caller: fc.Arbitrary<Caller> = fc.tuple(partnerId, partnerId, fc.boolean())
  .chain(([partner_id, other, isRoot]) => callerOf({ partner_id, root_id: isRoot ? partner_id : other }))

/** Principals: active and inactive users and API clients, of active and inactive partners. */
export const principal: fc.Arbitrary<Principal> = fc.record({
  kind: fc.constantFrom("user", "client"),
  subject: userId,
  partner_id: partnerId,
  root_id: partnerId,
  group_id: groupId,
  active: fc.boolean(),
  partners_active: fc.boolean(),
  credentials_version: fc.nat({ max: 9 }),
  must_change_password: fc.boolean()
})

const someScope: fc.Arbitrary<ReadonlySet<typeof permissions[number]>> = fc.subarray([...permissions])
  .map((some) => new Set(some))

/** Access token claims of users and API clients. Some scopes exceed the permissions of the group. */
export const accessClaims: fc.Arbitrary<AccessClaims> = fc.tuple(principal, fc.constantFrom(...groups), someScope)
  .map(([principal, { slug }, scope]) => claimsOf(principal, slug, scope))

/** Stored refresh tokens: live, spent and revoked. */
export const refreshToken: fc.Arbitrary<RefreshToken> = fc.record({
  family_id: uuid,
  user_id: userId,
  scope: someScope.map(formatScope),
  issued_at: timestamp,
  credentials_version: fc.nat({ max: 9 })
}).chain((token) =>
  fc.record({
    spent_at: nullOrAfter(token.issued_at, refreshTokenDays),
    spent_by: fc.constantFrom(null, "erp"),
    revoked_at: nullOrAfter(token.issued_at, refreshTokenDays)
  }).map((end) => ({ ...token, ...end, spent_by: end.spent_at === null ? null : end.spent_by }))
)

/** Failed logins. */
export const failedLogin: fc.Arbitrary<FailedLogin> = fc.record({ username: email, ip: fc.ipV4(), at: timestamp })

/** Stored signing keys, some retired. They have the format of a key pair, but cannot sign. */
export const signingKey: fc.Arbitrary<SigningKey> = fc.record({
  kid: base64url(16),
  private_jwk: fc.record({ x: base64url(43), y: base64url(43), d: base64url(43) })
    .map((numbers) => JSON.stringify({ kty: "EC", crv: "P-256", ...numbers })),
  created_at: timestamp
}).chain((key) => nullOrAfter(key.created_at, 90).map((retired_at) => ({ ...key, retired_at })))

/** OAuth token requests of every grant type, with and without a scope. */
export const tokenRequest: fc.Arbitrary<TokenRequest> = fc.tuple(
  fc.oneof(
    fc.record({
      grant_type: fc.constant("client_credentials" as const),
      client_id: clientId,
      client_secret: base64url(32)
    }),
    fc.record({ grant_type: fc.constant("password" as const), username: email, password }),
    fc.record({ grant_type: fc.constant("refresh_token" as const), refresh_token: base64url(32) })
  ),
  fc.option(someScope.map(formatScope))
).map(([grant, scope]) => scope === null ? grant : { ...grant, scope })

/** Token responses, with and without a refresh token. */
export const tokenResponse: fc.Arbitrary<TokenResponse> = fc.record({
  access_token: base64url(64),
  token_type: fc.constant("Bearer" as const),
  expires_in: fc.constant(accessTokenSeconds),
  refresh_token: base64url(32),
  scope: someScope.map(formatScope)
}, { requiredKeys: ["access_token", "token_type", "expires_in", "scope"] })
