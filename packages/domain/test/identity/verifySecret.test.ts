import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Deferred, Effect, Fiber, Option, Redacted, Ref } from "effect"
import { TestClock } from "effect/testing"
import { addressBehind } from "../../src/identity/addressKey.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { PasswordHasher } from "../../src/identity/PasswordHasher.ts"
import { ClientAddress, verifySecret } from "../../src/identity/verifySecret.ts"
import { knownPassword, runInMemory, start, storeMember, storeTwoTrees } from "../fixtures.ts"

const from = (ip: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, ClientAddress, ip)

const attempt = (username: string, password: string, ip = "192.0.2.1") =>
  Effect.match(issueToken({ grant_type: "password", username, password }).pipe(from(ip)), {
    onSuccess: () => "in",
    onFailure: (refused) => refused._tag === "TokenRefused" ? refused.error : refused._tag
  })

const failures = Effect.flatMap(MemoryDatabase, ({ failedLogins }) => Ref.get(failedLogins))

const times = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.all(Array.from({ length: count }, () => effect))

describe("verifySecret", () => {
  it.effect("T36 AUTH-09 five failures lock the pair of user and address for 15 minutes, even with the right password", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin: { email } } = yield* storeTwoTrees
      assert.deepStrictEqual(new Set(yield* times(5, attempt(email, "wrong"))), new Set(["invalid_grant"]))
      assert.strictEqual(yield* attempt(email, "wrong"), "TooManyAttempts")
      assert.strictEqual(yield* attempt(email, knownPassword), "TooManyAttempts")
      assert.strictEqual(yield* attempt(email.toUpperCase(), knownPassword), "TooManyAttempts")
      assert.strictEqual(yield* attempt(email, knownPassword, "192.0.2.2"), "in")
      assert.strictEqual((yield* failures).length, 5)
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual(yield* attempt(email, knownPassword), "in")
    })))

  it.effect("T36 AUTH-09 unknown users and clients are counted and locked identically", () =>
    runInMemory(Effect.gen(function*() {
      yield* storeTwoTrees
      yield* times(5, attempt("nobody@example.com", "wrong"))
      assert.strictEqual(yield* attempt("Nobody@Example.com", "wrong"), "TooManyAttempts")
      const client = issueToken({ grant_type: "client_credentials", client_id: "nobody", client_secret: "x" })
      const tag = Effect.match(client, { onSuccess: () => "in", onFailure: ({ _tag }) => _tag })
      assert.deepStrictEqual(new Set(yield* times(5, tag)), new Set(["TokenRefused"]))
      assert.strictEqual(yield* tag, "TooManyAttempts")
    })))

  it.effect("AUTH-09 the right password clears the failures of its own pair only", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin: { email } } = yield* storeTwoTrees
      const other = yield* storeMember(a, "viewer")
      yield* times(4, attempt(email, "wrong"))
      yield* attempt(email, "wrong", "192.0.2.2")
      yield* times(4, attempt(other.email, "wrong"))
      assert.strictEqual(yield* attempt(email, knownPassword), "in")
      assert.deepStrictEqual((yield* failures).map(({ ip, username }) => `${username} ${ip}`), [
        `user:${email} 192.0.2.2`,
        ...Array.from({ length: 4 }, () => `user:${other.email} 192.0.2.1`)
      ])
    })))

  it.effect("AUTH-09 failures from many addresses only delay, by at most five seconds", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin: { email } } = yield* storeTwoTrees
      const { failedLogins } = yield* MemoryDatabase
      const elsewhere = Array.from({ length: 500 }, (_, n) => ({ username: `user:${email}`, ip: `::${n}`, at: start }))
      yield* Ref.set(failedLogins, elsewhere)
      const fiber = yield* Effect.forkChild(attempt(email, knownPassword))
      yield* TestClock.adjust(4_999)
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(fiber), "in")
    })))

  it.effect("T36 AUTH-09 of many concurrent guesses, only five are answered", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin: { email } } = yield* storeTwoTrees
      const hasher = yield* PasswordHasher
      const open = yield* Deferred.make<void>()
      // Every guess is admitted before the first one is verified.
      const slow = PasswordHasher.of({
        ...hasher,
        verify: (secret, hash) => Effect.andThen(Deferred.await(open), hasher.verify(secret, hash))
      })
      const guesses = [...Array.from({ length: 20 }, (_, n) => `wrong ${n}`), knownPassword]
      const fiber = yield* Effect.forkChild(
        Effect.all(guesses.map((guess) => attempt(email, guess)), { concurrency: "unbounded" }).pipe(
          Effect.provideService(PasswordHasher, slow)
        )
      )
      yield* TestClock.adjust(1)
      yield* Deferred.succeed(open, undefined)
      const answers = yield* Fiber.join(fiber)
      assert.strictEqual(answers.filter((answer) => answer === "invalid_grant").length, 5)
      assert.strictEqual(answers.filter((answer) => answer === "TooManyAttempts").length, 16)
    })))

  it.effect("T36 AUTH-29 a peer that forwards without being trusted tries at most 24 secrets of a username per minute", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin: { email } } = yield* storeTwoTrees
      const proxy = addressBehind("192.0.2.1")
      // Each client sends a guess, waits for its response, and sends the next one. Some disconnect after a response.
      const guessing = Effect.forever(Effect.andThen(attempt(email, "wrong", proxy), Effect.sleep("100 millis")))
      const guessers = yield* Effect.forkChild(
        Effect.all(Array.from({ length: 10 }, () => guessing), { concurrency: "unbounded" })
      )
      yield* TestClock.adjust("5 minutes")
      const before = (yield* failures).length
      yield* TestClock.adjust("5 minutes")
      assert.isAbove((yield* failures).length, before)
      assert.isAtMost((yield* failures).length - before, 5 * 24 + 2)
      yield* Fiber.interrupt(guessers)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* attempt(email, knownPassword, proxy), "in")
    })))

  it.effect("T36 AUTH-29 the right secret frees its place at once, a wrong one after 5 s; the newest one is next", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin: { email } } = yield* storeTwoTrees
      const { failedLogins } = yield* MemoryDatabase
      const proxy = addressBehind("192.0.2.2")
      const many = Array.from({ length: 50 }, () => ({ username: `user:${email}`, ip: "192.0.2.9", at: start }))
      yield* Ref.set(failedLogins, many)
      assert.deepStrictEqual(new Set(yield* times(20, attempt(email, knownPassword, proxy))), new Set(["in"]))
      assert.deepStrictEqual(yield* times(2, attempt(email, "wrong", proxy)), ["invalid_grant", "invalid_grant"])
      const waiting = yield* Effect.forkChild(attempt(email, knownPassword, proxy))
      yield* TestClock.adjust(4_999)
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* Fiber.join(waiting), "in")
      const flood = Array.from({ length: 80 }, () => attempt(email, "wrong", proxy))
      const flooding = yield* Effect.forkChild(Effect.all(flood, { concurrency: "unbounded" }))
      yield* TestClock.adjust(0)
      const last = yield* Effect.forkChild(attempt(email, knownPassword, proxy))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* Fiber.join(last), "in", "a free place goes to the newest one")
      yield* TestClock.adjust("10 seconds")
      const answers = yield* Fiber.join(flooding)
      assert.sameMembers([...new Set(answers)], ["invalid_grant", "Busy"])
      assert.isAtMost(answers.filter((answer) => answer === "invalid_grant").length, 6)
    })))

  it.effect("T36 an unknown name costs the same work as a known one", () =>
    runInMemory(Effect.gen(function*() {
      const hasher = yield* PasswordHasher
      const verifications = yield* Ref.make(0)
      const counting = PasswordHasher.of({
        ...hasher,
        verify: (secret, hash) =>
          Effect.andThen(Ref.update(verifications, (count) => count + 1), hasher.verify(secret, hash))
      })
      const known = Option.some(yield* hasher.hash(Redacted.make(knownPassword)))
      for (const hash of [known, Option.none()]) {
        const right = verifySecret("user:a@b.c", [Redacted.make("wrong")], hash)
        assert.isFalse(yield* Effect.provideService(right, PasswordHasher, counting))
      }
      assert.strictEqual(yield* Ref.get(verifications), 2)
    })))
})
