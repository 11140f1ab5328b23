import { asOperator } from "@lastro/domain/hierarchy"
import { type IdempotencySlot, IdempotencyStore } from "@lastro/domain/idempotency"
import {
  ApiClientRepository,
  LoginAttempts,
  type Principal,
  PrincipalRepository,
  RefreshTokenRepository
} from "@lastro/domain/identity"
import { UserRepository } from "@lastro/domain/user"
import {
  apiClientRepositorySuite,
  idempotencyStoreSuite,
  loginAttemptsSuite,
  principalRepositorySuite,
  refreshTokenRepositorySuite,
  userRepositorySuite
} from "@lastro/testkit/suites"
import { type Context, Effect, Option, Result } from "effect"
import { createHash } from "node:crypto"
import { type Database, type Fault, faultOf } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

const users = faultOf("UserRepository", UserRepository, userRepositorySuite)
const principals = faultOf("PrincipalRepository", PrincipalRepository, principalRepositorySuite)
const clients = faultOf("ApiClientRepository", ApiClientRepository, apiClientRepositorySuite)
const tokens = faultOf("RefreshTokenRepository", RefreshTokenRepository, refreshTokenRepositorySuite)
const answers = faultOf("IdempotencyStore", IdempotencyStore, idempotencyStoreSuite)
const attempts = faultOf("LoginAttempts", LoginAttempts, loginAttemptsSuite)

const cachedPrincipals = (sound: Context.Service.Shape<typeof PrincipalRepository>) => {
  const cache = new Map<string, Option.Option<Principal>>()
  return {
    find: (kind, subject) => {
      const cached = cache.get(subject)
      return cached === undefined
        ? Effect.tap(sound.find(kind, subject), (one) => Effect.sync(() => cache.set(subject, one)))
        : Effect.succeed(cached)
    }
  } satisfies Partial<typeof sound>
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** An IdempotencyStore that stores keys and answers in these forms. It never returns them. */
const storedAs = (
  keyOf: (slot: IdempotencySlot) => string,
  encode: (slot: IdempotencySlot, text: string) => string
) =>
(_sound: unknown, { change }: Database) => ({
  save: (slot, stored) =>
    change((now) => {
      const encoded = { ...stored, answer: encode(slot, stored.answer) }
      return Result.succeed({ ...now, answers: new Map(now.answers).set(keyOf(slot), encoded) })
    })
} satisfies Partial<Context.Service.Shape<typeof IdempotencyStore>>)

/** Broken adapters of users, principals and credentials. */
export const identityFaults: ReadonlyArray<Fault> = [
  users("setPassword does nothing", /`setPassword` replaces/, () => ({ setPassword: () => Effect.void })),
  users("remove does nothing", /`remove` hides/, () => ({ remove: () => Effect.void })),
  users("update ignores the new partner", /including the user's partner/, ({ update }) => ({
    update: (before, after) => {
      const { partner_id } = before.record
      return update(before, { ...after, partner_id }, asOperator.inScope(partner_id))
    }
  })),
  users(
    "setPassword resets must_change_password",
    /`setPassword` replaces the hash/,
    ({ setPassword }, { change }) => ({
      setPassword: (user, hash) =>
        Effect.andThen(
          setPassword(user, hash),
          change((now) => {
            const { user_id } = user.record
            const stored = now.users.get(user_id)
            if (stored === undefined) return Result.succeed(now)
            const changed = { ...stored, user: { ...stored.user, must_change_password: false } }
            return Result.succeed({ ...now, users: new Map(now.users).set(user_id, changed) })
          })
        )
    })
  ),
  users(
    "find includes the parent from the fourth level on",
    /`find` .* descendants/,
    ({ find }, database) => ({
      find: (scope, id) =>
        Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
    })
  ),
  users("list ignores the status filter beside a name filter", /combined with AND/, ({ list }) => ({
    list: (scope, query) => {
      const { status: _, ...filters } = query.filters
      return list(scope, filters.full_name === undefined ? query : { ...query, filters })
    }
  })),
  users("list counts at most 100", /counts every record/, ({ list }) => ({
    list: (scope, query) =>
      Effect.map(list(scope, query), ({ items, total }) => ({ items, total: Math.min(total, 100) }))
  })),
  users("insert normalizes the name", /character for character/, ({ insert }) => ({
    insert: (partner, user, hash) => insert(partner, { ...user, name: user.name.normalize("NFC") }, hash)
  })),
  principals("find folds the case of a client_id", /distinguish the letter case/, ({ find }) => ({
    find: (kind, subject) => find(kind, kind === "client" ? subject.toLowerCase() : subject)
  })),
  principals("findByClientId folds the case of a client_id", /distinguish the letter case/, ({ findByClientId }) => ({
    findByClientId: (client_id) => findByClientId(client_id.toLowerCase())
  })),
  clients("insert folds the case of a client_id", /differ only in letter case/, (sound) => ({
    insert: (client, secret) => sound.insert({ ...client, client_id: client.client_id.toLowerCase() }, secret)
  })),
  principals("findByEmail caches the group", /`findByEmail` return the current state/, ({ findByEmail }) => {
    const groups = new Map<string, Principal["group_id"]>()
    return {
      findByEmail: (email) =>
        Effect.map(
          findByEmail(email),
          Option.map(({ hash, principal }) => {
            const group_id = groups.get(principal.subject) ?? principal.group_id
            groups.set(principal.subject, group_id)
            return { hash, principal: { ...principal, group_id } }
          })
        )
    }
  }),
  principals("findByEmail hides users below an inactive partner", /partners_active/, ({ findByEmail }) => ({
    findByEmail: (email) => Effect.map(findByEmail(email), Option.filter(({ principal }) => principal.partners_active))
  })),
  clients("listAll hides revoked clients", /`listAll` still returns/, (sound) => ({
    listAll: Effect.map(sound.listAll, (clients) => clients.filter(({ revoked_at }) => revoked_at === null))
  })),
  clients("list ignores the scope", /T02 `list`, a walk and `exportAll`/, (sound) => ({
    list: (_, query) =>
      Effect.map(
        sound.listAll,
        (clients) => ({ items: clients.slice(0, query.page.size), total: clients.length })
      )
  })),
  tokens("revokeUser skips spent tokens", /`revokeUser` revokes/, (_sound, { change }) => ({
    revokeUser: (user_id, at) =>
      change((now) =>
        Result.succeed({
          ...now,
          refreshTokens: new Map(Array.from(now.refreshTokens, ([key, token]) => {
            const ends = token.user_id === user_id && token.spent_at === null && token.revoked_at === null
            return [key, ends ? { ...token, revoked_at: at } : token]
          }))
        })
      )
  })),
  answers("save normalizes the answer", /character for character/, (sound) => ({
    save: (slot, stored) => sound.save(slot, { ...stored, answer: stored.answer.normalize("NFC") })
  })),
  answers("save parses and reprints the answer", /character for character/, (sound) => ({
    save: (slot, stored) => sound.save(slot, { ...stored, answer: JSON.stringify(JSON.parse(stored.answer)) })
  })),
  answers(
    "keys and answers are stored in plain text",
    /neither the idempotency key nor the answer/,
    storedAs((slot) => JSON.stringify(slot), (_, text) => text)
  ),
  answers(
    "answers are encoded but not encrypted",
    /neither the idempotency key nor the answer/,
    storedAs((slot) => sha256(JSON.stringify(slot)), (_, text) => Buffer.from(text).toString("base64"))
  ),
  answers(
    "all answers are encrypted with one key",
    /equal answers of two slots/,
    storedAs((slot) => sha256(JSON.stringify(slot)), (_, text) => sha256(text))
  ),
  principals("find caches principals", /removed users/, cachedPrincipals),
  attempts("failures of other addresses displace those of this one", /last five failures/, (sound) => ({
    failures: (username, _ip, since) => sound.failures(username, "", since)
  }))
]
