import { assert, describe, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { type IdempotencySlot, IdempotencyStore } from "@lastro/domain/idempotency"
import { PasswordHasher, RefreshTokenRepository } from "@lastro/domain/identity"
import { type PartnerRepository } from "@lastro/domain/partner"
import { IdGenerator, PartnerTree, SecretGenerator, UnitOfWork } from "@lastro/domain/ports"
import { exampleInstant, layerMemory, MemoryDatabase, storeForest, storeRootPartner, storeUser } from "@lastro/testkit"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"

const memory = Effect.provide(layerMemory, { local: true })

const messageOf = (exit: Exit.Exit<unknown, unknown>): string => Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""

describe("MemoryDatabase", () => {
  it.effect("returns committed data, and inside a unit also its own changes", () =>
    Effect.gen(function*() {
      const database = yield* MemoryDatabase
      const partner = yield* storeRootPartner()
      const user = yield* storeUser(partner)
      const state = yield* database.state
      assert.deepStrictEqual(state.partners.get(partner.partner_id), { partner, deleted_at: null })
      assert.deepStrictEqual(state.users.get(user.user_id)?.user, user)
      const inside = yield* (yield* UnitOfWork).atomically(Effect.andThen(storeRootPartner(), database.state))
      assert.strictEqual(inside.partners.size, 2)
      assert.strictEqual(state.partners.size, 1)
    }).pipe(memory))

  it.effect("two databases are independent: a unit of one writes to the other directly", () =>
    Effect.gen(function*() {
      const build = Layer.build(Layer.fresh(layerMemory))
      const [one, other] = [yield* build, yield* build]
      const run = <A, E>(effect: Effect.Effect<A, E, PartnerRepository | UnitOfWork | MemoryDatabase>) =>
        Effect.provideContext(effect, other)
      yield* Effect.gen(function*() {
        yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
          yield* storeRootPartner()
          yield* run(Effect.flatMap(UnitOfWork, (unit) => unit.atomically(storeRootPartner())))
          return yield* Effect.die("undone")
        })))
        assert.strictEqual((yield* (yield* MemoryDatabase).state).partners.size, 0)
      }).pipe(Effect.provideContext(one))
      assert.strictEqual((yield* run(Effect.flatMap(MemoryDatabase, ({ state }) => state))).partners.size, 1)
    }).pipe(Effect.scoped))

  it.effect("a move dies without an exclusive tree lock, and when it would make a cycle", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const unit = yield* UnitOfWork
      const [root, left, right] = yield* storeForest([null, 0, 1])
      const move = tree.move(asOperator.inScope(right), asOperator.inScope(root.partner_id))
      const cycle = tree.move(asOperator.inScope(left), asOperator.inScope(right.partner_id))
      const shared = tree.lock(root.partner_id, "shared")
      const exclusive = tree.lock(root.partner_id, "exclusive")
      assert.include(messageOf(yield* Effect.exit(move)), "locked exclusively")
      assert.include(messageOf(yield* Effect.exit(unit.atomically(Effect.andThen(shared, move)))), "locked exclusively")
      yield* unit.atomically(exclusive)
      assert.include(messageOf(yield* Effect.exit(unit.atomically(move))), "locked exclusively")
      assert.include(messageOf(yield* Effect.exit(unit.atomically(Effect.andThen(exclusive, cycle)))), "cycle")
      yield* unit.atomically(Effect.andThen(exclusive, move))
    }).pipe(memory))

  it.effect("the state has no password, token or idempotency key in plain text", () =>
    Effect.gen(function*() {
      const secrets = ["correct horse battery", "refresh-token-1", "idempotency-key-1"] as const
      const [password, token, key] = secrets
      const partner = yield* storeRootPartner()
      const user = yield* storeUser(partner, {}, yield* (yield* PasswordHasher).hash(Redacted.make(password)))
      yield* (yield* RefreshTokenRepository).insert(Redacted.make(token), {
        family_id: "family",
        user_id: user.user_id,
        scope: "",
        issued_at: exampleInstant,
        credentials_version: 1,
        spent_at: null,
        spent_by: null,
        revoked_at: null
      })
      const slot: IdempotencySlot = { subject: user.user_id, key }
      const answer = {
        fingerprint: "f",
        partner_id: partner.partner_id,
        record_id: partner.partner_id,
        answer: "{}",
        stored_at: exampleInstant
      }
      yield* (yield* IdempotencyStore).save(slot, answer)
      const text = JSON.stringify(yield* (yield* MemoryDatabase).state, (_, value: unknown) =>
        value instanceof Map ? [...value] : value)
      assert.include(text, user.email)
      for (const secret of secrets) {
        assert.notInclude(text, secret)
      }
    }).pipe(memory))

  it.effect("ids and secrets are the same in every run", () => {
    const sample = Effect.gen(function*() {
      const ids = yield* Effect.replicateEffect((yield* IdGenerator).next, 20)
      const secrets = yield* Effect.replicateEffect((yield* SecretGenerator).next, 20)
      return [...ids, ...secrets.map(Redacted.value)]
    }).pipe(memory)
    return Effect.gen(function*() {
      assert.deepStrictEqual(yield* sample, yield* sample)
    })
  })
})
