import { type FailedLogin, LoginAttempts } from "@lastro/domain/identity"
import { Effect, Layer, Ref } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

const maxFailures = 50
const maxFailuresPerAddress = 5

const newestFirst = (self: FailedLogin, that: FailedLogin): number => self.at < that.at ? 1 : self.at > that.at ? -1 : 0

/** In-memory `LoginAttempts`. Failed sign-ins are stored outside all units of work, so a rollback keeps them. */
export const layer = Layer.effect(
  LoginAttempts,
  Effect.map(MemoryDatabase, ({ failedLogins }) =>
    LoginAttempts.of({
      failures: (username, ip, since) =>
        Effect.map(Ref.get(failedLogins), (all) => {
          const recent = all.filter((one) => one.username === username && one.at >= since).toSorted(newestFirst)
          const here = recent.filter((one) => one.ip === ip).slice(0, maxFailuresPerAddress)
          const others = recent.filter((one) => !here.includes(one)).slice(0, maxFailures - here.length)
          return [...here, ...others].toSorted(newestFirst)
        }),
      record: (failure) => Ref.update(failedLogins, (all) => [...all, failure]),
      clear: (username, ip) =>
        Ref.update(failedLogins, (all) => all.filter((one) => one.username !== username || one.ip !== ip))
    }))
)
