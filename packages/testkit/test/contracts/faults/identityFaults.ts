import {
  ApiClientRepository,
  asOperator,
  IdempotencyStore,
  LoginAttempts,
  type Principal,
  PrincipalRepository,
  RefreshTokenRepository,
  UserRepository
} from "@lastro/domain"
import { MemoryDatabase } from "@lastro/testkit"
import {
  apiClientRepositorySuite,
  idempotencyStoreSuite,
  loginAttemptsSuite,
  principalRepositorySuite,
  refreshTokenRepositorySuite,
  userRepositorySuite
} from "@lastro/testkit/contracts"
import { type Context, Effect, Option, Result } from "effect"
import { type Fault, options, spoilt } from "./Fault.ts"
import { parentOf } from "./parentOf.ts"

type Users = Context.Service.Shape<typeof UserRepository>

type Database = Context.Service.Shape<typeof MemoryDatabase>
type Principals = Context.Service.Shape<typeof PrincipalRepository>

const users = (fault: string, named: RegExp, spoil: (sound: Users, database: Database) => Partial<Users>) => ({
  fault: `UserRepository: ${fault}`,
  named,
  suite: (runner) =>
    userRepositorySuite(
      "spoilt",
      spoilt(UserRepository, (sound) => Effect.map(MemoryDatabase, (all) => ({ ...sound, ...spoil(sound, all) }))),
      runner,
      options
    )
} satisfies Fault)

const principals = (fault: string, named: RegExp, spoil: (sound: Principals) => Partial<Principals>) => ({
  fault: `PrincipalRepository: ${fault}`,
  named,
  suite: (runner) =>
    principalRepositorySuite(
      "spoilt",
      spoilt(PrincipalRepository, (sound) => Effect.sync(() => ({ ...sound, ...spoil(sound) }))),
      runner,
      options
    )
} satisfies Fault)

/** What a cache says of principals: what they were when they were first found. */
const remembering = spoilt(PrincipalRepository, (sound) => {
  const cache = new Map<string, Option.Option<Principal>>()
  return Effect.succeed({
    ...sound,
    find: (kind, subject) => {
      const known = cache.get(subject)
      return known === undefined
        ? Effect.tap(sound.find(kind, subject), (one) => Effect.sync(() => cache.set(subject, one)))
        : Effect.succeed(known)
    }
  })
})

/** Mistakes of adapters that keep users and what they sign in with. */
export const identityFaults: ReadonlyArray<Fault> = [
  users("a new password is forgotten", /setPassword/, () => ({ setPassword: () => Effect.void })),
  users("removed users are still found", /remove/, () => ({ remove: () => Effect.void })),
  users("an update forgets the user's new partner", /partner that the user then belongs to/, ({ update }) => ({
    update: (before, after) => {
      const { partner_id } = before.record
      return update(before, { ...after, partner_id }, asOperator.inScope(partner_id))
    }
  })),
  users("a new password ends the duty to change it", /setPassword replaces it/, ({ setPassword }, { change }) => ({
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
  })),
  users("find reaches one up, from the fourth level on", /find .* where its partner lies/, ({ find }, database) => ({
    find: (scope, id) =>
      Effect.flatMap(parentOf(database, scope.partner_id, 2), (top) => find(asOperator.scope(top), id))
  })),
  users("a filter by status is ignored beside one by name", /filters together/, ({ list }) => ({
    list: (scope, query) => {
      const { status: _, ...filters } = query.filters
      return list(scope, filters.full_name === undefined ? query : { ...query, filters })
    }
  })),
  principals("whoever signs in has the group of the first time", /as it stands now/, ({ findByEmail }) => {
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
  principals("nobody below an inactive partner can sign in", /partners_active/, ({ findByEmail }) => ({
    findByEmail: (email) => Effect.map(findByEmail(email), Option.filter(({ principal }) => principal.partners_active))
  })),
  {
    fault: "ApiClientRepository: revoked clients are not listed",
    named: /stays on the list/,
    suite: (runner) =>
      apiClientRepositorySuite(
        "spoilt",
        spoilt(ApiClientRepository, (sound) =>
          Effect.succeed({
            ...sound,
            list: Effect.map(sound.list, (clients) => clients.filter(({ revoked_at }) => revoked_at === null))
          })),
        runner,
        options
      )
  },
  {
    fault: "RefreshTokenRepository: the end of a user's tokens spares spent ones",
    named: /revokeUser/,
    suite: (runner) =>
      refreshTokenRepositorySuite(
        "spoilt",
        spoilt(RefreshTokenRepository, (sound) =>
          Effect.map(MemoryDatabase, ({ change }) => ({
            ...sound,
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
          }))),
        runner,
        options
      )
  },
  {
    fault: "IdempotencyStore: answers are parsed and printed again",
    named: /word for word/,
    suite: (runner) =>
      idempotencyStoreSuite(
        "spoilt",
        spoilt(IdempotencyStore, (sound) =>
          Effect.succeed({
            ...sound,
            save: (slot, stored) => sound.save(slot, { ...stored, answer: JSON.stringify(JSON.parse(stored.answer)) })
          })),
        runner,
        options
      )
  },
  {
    fault: "PrincipalRepository: a cache remembers what principals were",
    named: /deleted users/,
    suite: (runner) => principalRepositorySuite("spoilt", remembering, runner, options)
  },
  {
    fault: "LoginAttempts: the failures of other addresses push out this one's",
    named: /last five failures/,
    suite: (runner) =>
      loginAttemptsSuite(
        "spoilt",
        spoilt(LoginAttempts, (sound) =>
          Effect.succeed({
            ...sound,
            failures: (username, _ip, since) => sound.failures(username, "", since)
          })),
        runner,
        options
      )
  }
]
