import { assert, it } from "@effect/vitest"
import { PersonalDataHasher } from "@lastro/domain/audit"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type PartnerDetail, type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { type ApplicationId } from "@lastro/domain/values"
import {
  answerWithOffers,
  contractApplication,
  freshHistory,
  freshId,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeRootPartner
} from "@lastro/testkit"
import { type History, history } from "@lastro/testkit/arbitraries"
import { Cause, Deferred, Effect, Exit, Option, Redacted, Result } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as fc from "fast-check"
import { checkInvariants, layerPostgres } from "../../src/index.ts"
import { awaitBlockedTransaction } from "../coordination.ts"
import { countBinds } from "../countBinds.ts"
import { postgres } from "../databases.ts"
import { freshDatabase } from "../postgres.ts"

const readStored = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, { application_id }: Application) {
  const sealed = yield* (yield* ApplicationRepository).find(asOperator.scope(partner_id), application_id)
  return Result.getOrThrow(judgeFound(sealed)).record
})

/** Returns an application as text. Its fields are columns, so their order has no meaning; that of their contents has. */
const textOf = (application: Application): string =>
  JSON.stringify(Object.entries(application).toSorted(([one], [other]) => one < other ? -1 : 1))

/** Saves each step of a history and compares the stored application with it. */
const replayHistory = Effect.fnUntraced(function*(example: History) {
  const root = yield* storeRootPartner()
  const { opening: { _tag, partner_id: _, ...opening }, steps } = yield* freshHistory(example, root.partner_id)
  let stage = yield* storeApplication(root, opening)
  for (const { after } of steps) {
    stage = yield* saveApplication(stage, after)
    assert.strictEqual(textOf(yield* readStored(root, stage)), textOf(stage))
  }
})

it.layer(postgres({ maxConnections: 4, lockTimeout: "20 seconds" }), {
  excludeTestServices: true,
  timeout: "1 minute"
})("origination in PostgreSQL", (it) => {
  it.effect("any history of an application is read back byte for byte, and every invariant holds", () =>
    Effect.gen(function*() {
      const context = yield* Effect.context<ApplicationRepository | PartnerRepository>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(history(16), (example) => Effect.runPromiseWith(context)(replayHistory(example))),
          { numRuns: 60 }
        )
      )
      assert.deepStrictEqual(yield* checkInvariants, [])
    }))

  it.effect("T41 T42 a transaction that waited for an application sees the quotes and the proposal of the previous lock holder", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const unit = yield* UnitOfWork
      const root = yield* storeRootPartner()
      const application = yield* storeApplication(root)
      const forUpdate = Effect.map(
        applications.findForUpdate(asOperator.scope(root.partner_id), application.application_id),
        (sealed) => Result.getOrThrow(judgeFound(sealed)).record
      )
      const held = yield* Deferred.make<void>()
      const holder = unit.atomically(Effect.gen(function*() {
        const before = yield* forUpdate
        yield* Deferred.succeed(held, undefined)
        yield* awaitBlockedTransaction
        return yield* saveApplication(before, yield* contractApplication(before))
      }))
      const waiter = Effect.andThen(Deferred.await(held), unit.atomically(forUpdate))
      const [left, seen] = yield* Effect.all([holder, waiter], { concurrency: 2 })
      assert.isNotNull(left.proposal)
      assert.deepStrictEqual(seen, left)
    }))

  it.effect("T42 a unique constraint refuses a second accepted offer of an application", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { application_id } = yield* storeContractedApplication(yield* storeRootPartner())
      const exit = yield* Effect.exit(sql`
        insert into proposal
        select gen_random_uuid(), application_id, gen_random_uuid(), 'ABCDEFGHJK', partner_id, root_id, status, cpf,
          customer_folded, external_id, net_amount, created_at, updated_at, list_item, facts, region_id
        from proposal where application_id = ${application_id}`)
      const error = Exit.isFailure(exit) ? Option.getOrNull(Cause.findErrorOption(exit.cause)) : null
      assert.deepInclude(SqlError.isSqlError(error) ? error.reason : {}, {
        _tag: "UniqueViolation",
        constraint: "proposal_application_id_key"
      })
    }))

  it.effect("a save based on an outdated version changes neither the application nor its quotes", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const root = yield* storeRootPartner()
      const application = yield* storeApplication(root)
      const after = yield* saveApplication(application, yield* answerWithOffers(application))
      const stale = Effect.flatMap(
        answerWithOffers(application),
        (other) => applications.save(asOperator.inScope(application), other)
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit((yield* UnitOfWork).atomically(stale))))
      assert.deepStrictEqual(yield* readStored(root, application), after)
    }))

  it.effect("T57 the number of bound values does not grow with the number of applications: 1 for versions, 5 for a search", () =>
    Effect.gen(function*() {
      const applications = yield* ApplicationRepository
      const root = yield* storeRootPartner()
      const one = yield* storeApplication(root)
      const many = (yield* Effect.replicateEffect(freshId, 70_000)).map((id) => id as ApplicationId)
      const versions = yield* countBinds(applications.versions([...many, one.application_id]))
      assert.deepStrictEqual([versions.value.size, versions.binds], [1, [1]])
      yield* Effect.replicateEffect(storeApplication(root, { external_id: one.external_id }), 5)
      const search = applications.findByExternalId(asOperator.scope(root.partner_id), one.external_id, 100)
      const searched = yield* countBinds(search)
      assert.deepStrictEqual([searched.value.length, searched.binds], [6, [5]])
    }))
})

it.live("T45 hashes of personal data are equal on every node of a database and differ between databases", () =>
  Effect.gen(function*() {
    const hash = (url: string, text: string) =>
      Effect.gen(function*() {
        return yield* (yield* PersonalDataHasher).hash(text)
      }).pipe(Effect.provide(layerPostgres({ url: Redacted.make(url) }), { local: true }))
    const [one, other] = yield* Effect.all([freshDatabase, freshDatabase])
    const nodes = yield* Effect.all(Array.from({ length: 3 }, () => hash(one, "12345678909")), {
      concurrency: "unbounded"
    })
    assert.strictEqual(new Set(nodes).size, 1)
    assert.match(nodes[0] ?? "", /^[\w-]{43}$/)
    assert.notStrictEqual(yield* hash(one, "12345678908"), nodes[0])
    assert.notStrictEqual(yield* hash(other, "12345678909"), nodes[0])
  }))
