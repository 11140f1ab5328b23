import { type Caller, groups, permissions } from "@lastro/domain/access"
import { type AccessClaims, type ApiClient, claimsOf, type Principal, type SigningKey } from "@lastro/domain/identity"
import { type PartnerId, type Timestamp, timestampOf } from "@lastro/domain/values"
import * as fc from "fast-check"
import { makeCaller } from "../access/makeCaller.ts"
import { personName } from "./documents.ts"
import { partnerId, timestamp } from "./partners.ts"
import { groupId, userId } from "./users.ts"

const uuid = fc.uuid({ version: 7 })

const base64url = (length: number) =>
  fc.string({
    unit: fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
    minLength: length,
    maxLength: length
  })

/** A time up to `days` days after `at`, or null. */
const nullOrAfter = (at: Timestamp, days: number): fc.Arbitrary<Timestamp | null> =>
  fc.option(fc.nat({ max: days * 86_400_000 }).map((pause) => timestampOf(Date.parse(at) + pause)), { freq: 2 })

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
 * Callers of a partner in the tree of `root_id`: users, API clients and users of the host application. They are of
 * every group, with all or some of its permissions. A few users must change their password.
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
      must_change_password: fc.nat({ max: 9 }).map((number) => number === 0)
    })
  ).map((fields) =>
    makeCaller({ ...fields, must_change_password: fields.kind === "user" && fields.must_change_password })
  )

/** Callers of root partners and of other partners ({@link callerOf}). */
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

/** Claims of access tokens of users and API clients. Some scopes exceed the permissions of the group. */
export const accessClaims: fc.Arbitrary<AccessClaims> = fc.tuple(principal, fc.constantFrom(...groups), someScope)
  .map(([principal, { slug }, scope]) => claimsOf(principal, slug, scope))

/** Stored signing keys, some retired. They have the format of a key pair but cannot sign. */
export const signingKey: fc.Arbitrary<SigningKey> = fc.record({
  kid: base64url(16),
  private_jwk: fc.record({ x: base64url(43), y: base64url(43), d: base64url(43) })
    .map((numbers) => JSON.stringify({ kty: "EC", crv: "P-256", ...numbers })),
  created_at: timestamp
}).chain((key) => nullOrAfter(key.created_at, 90).map((retired_at) => ({ ...key, retired_at })))
