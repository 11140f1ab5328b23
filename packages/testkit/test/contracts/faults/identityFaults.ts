import { asOperator, LoginAttempts, type Principal, PrincipalRepository, UserRepository } from "@lastro/domain"
import { loginAttemptsSuite, principalRepositorySuite, userRepositorySuite } from "@lastro/testkit/contracts"
import { type Context, Effect, type Option } from "effect"
import { type Fault, options, spoilt } from "./Fault.ts"

type Users = Context.Service.Shape<typeof UserRepository>

const users = (fault: string, named: RegExp, spoil: (sound: Users) => Partial<Users>) => ({
  fault: `UserRepository: ${fault}`,
  named,
  suite: (runner) =>
    userRepositorySuite(
      "spoilt",
      spoilt(UserRepository, (sound) => Effect.succeed({ ...sound, ...spoil(sound) })),
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
