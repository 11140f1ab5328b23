import { assert, it } from "@effect/vitest"
import { AuditLog } from "@lastro/domain/audit"
import { EventLog } from "@lastro/domain/event"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository } from "@lastro/domain/origination"
import { PersonalDataStore } from "@lastro/domain/privacy"
import { UserRepository } from "@lastro/domain/user"
import { currentTimestamp } from "@lastro/domain/values"
import {
  AuditInspector,
  exampleInstant,
  freshId,
  layerMemory,
  storeApplication,
  storeContractedApplication,
  storeRootPartner,
  storeUser
} from "@lastro/testkit"
import { Duration, Effect, Layer, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import {
  firstRetentionDelay,
  layerApplicationRetention,
  layerAuditRetention,
  layerDeletedRetention,
  layerEventRetention,
  retentionInterval
} from "../src/layers/retention.ts"

it.effect("PRIV-06 the loop of each node anonymises deleted records, survives a failure, and two nodes do it once", () =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => {
      lines.push(String(Array.isArray(message) ? message[0] : message))
    })
    const store = yield* PersonalDataStore
    let failing = false
    const faulty = PersonalDataStore.of({
      ...store,
      findDeleted: (until, limit) =>
        Effect.suspend(() => failing ? Effect.die(new Error("no database")) : store.findDeleted(until, limit))
    })
    const node = Layer.fresh(
      layerDeletedRetention({
        privacy: { retention_years: 5, deleted_retention: Duration.hours(10), application_retention: undefined }
      })
    )
    for (const _ of ["one", "other"]) {
      yield* Layer.build(node.pipe(
        Layer.provide(Layer.merge(Layer.succeed(PersonalDataStore, faulty), Logger.layer([logger])))
      ))
    }
    const partner = yield* storeRootPartner()
    const { user_id } = yield* storeUser(partner)
    const users = yield* UserRepository
    const found = judgeFound(yield* users.findForUpdate(asOperator.scope(partner.partner_id), user_id))
    yield* users.remove(yield* Effect.fromResult(found), yield* currentTimestamp)
    const audit = yield* AuditInspector
    const anonymised = Effect.map(
      audit.entriesOf(user_id),
      (entries) => entries.filter(({ action }) => action === "privacy.anonymise").length
    )

    yield* TestClock.adjust(firstRetentionDelay)
    yield* TestClock.adjust(Duration.hours(9))
    assert.strictEqual(yield* anonymised, 0)
    failing = true
    yield* TestClock.adjust(Duration.hours(2))
    assert.strictEqual(yield* anonymised, 0)
    assert.isAbove(lines.length, 1)
    assert.deepStrictEqual([...new Set(lines)], ["deleted records were not anonymised; retrying in an hour"])
    failing = false
    lines.length = 0
    yield* TestClock.adjust(retentionInterval)
    yield* TestClock.adjust(retentionInterval)
    assert.strictEqual(yield* anonymised, 1)
    assert.deepStrictEqual(lines, ["deleted records anonymised"])
  }).pipe(Effect.provide(layerMemory)))

it.effect("EVENT-06 the loop of each node deletes old events, and a later `after` still reads", () =>
  Effect.gen(function*() {
    const { partner_id } = yield* storeRootPartner()
    const log = yield* EventLog
    const happen = Effect.gen(function*() {
      yield* log.append([{
        event_id: yield* freshId,
        type: "partner.updated",
        occurred_at: yield* currentTimestamp,
        partner_id,
        subject: { kind: "partner", id: partner_id, version: null },
        data: {},
        request_id: null,
        actor: { kind: "system", id: "lastro" }
      }])
    })
    yield* Effect.replicateEffect(happen, 3)
    yield* Layer.build(layerEventRetention({ events_retention: Duration.days(90) }))
    yield* TestClock.adjust(Duration.days(89))
    yield* happen
    const read = log.read(partner_id, partner_id, { after: 0, limit: 10 })
    assert.lengthOf((yield* read).events, 4)
    yield* TestClock.adjust(Duration.days(2))
    assert.strictEqual((yield* Effect.flip(read)).oldest, 3)
    const kept = yield* log.read(partner_id, partner_id, { limit: 10 })
    assert.deepStrictEqual(kept.events.map(({ sequence }) => sequence), [4])
  }).pipe(Effect.provide(layerMemory)))

it.effect("AUDIT-05 the loop of each node deletes old audit entries, and none without a retention period", () =>
  Effect.gen(function*() {
    const partner = yield* storeRootPartner()
    const { record } = yield* AuditLog
    const inspector = yield* AuditInspector
    const happen = Effect.gen(function*() {
      yield* record({
        id: yield* freshId,
        at: yield* currentTimestamp,
        actor: "operator",
        action: "partner.update",
        subject_id: partner.partner_id,
        partner_id: partner.partner_id,
        before: null,
        after: null,
        changed: [],
        request_id: null
      })
    })
    const kept = Effect.map(inspector.entriesOf(partner.partner_id), ({ length }) => length)
    yield* Layer.build(layerAuditRetention({ audit_retention: undefined }))
    yield* happen
    yield* TestClock.adjust(Duration.days(400))
    assert.strictEqual(yield* kept, 1)
    yield* Layer.build(layerAuditRetention({ audit_retention: Duration.days(365) }))
    yield* happen
    yield* TestClock.adjust(Duration.hours(2))
    assert.strictEqual(yield* kept, 1)
    yield* TestClock.adjust(Duration.days(366))
    assert.strictEqual(yield* kept, 0)
  }).pipe(Effect.provide(layerMemory)))

it.effect("PRIV-15 the loop of each node erases applications that were never paid, and no other", () =>
  Effect.andThen(
    TestClock.setTime(Date.parse(exampleInstant)),
    Effect.gen(function*() {
      const partner = yield* storeRootPartner()
      const open = yield* Effect.forEach(Array.from({ length: 45 }), () => storeApplication(partner))
      const sold = yield* storeContractedApplication(partner)
      const applications = yield* ApplicationRepository
      const erased = (one: Application) =>
        Effect.map(
          applications.ofId(one.application_id),
          (found) => (Option.getOrThrow(found).erased_at ?? null) !== null
        )
      yield* Layer.build(layerApplicationRetention({
        privacy: { retention_years: 5, deleted_retention: Duration.hours(10), application_retention: Duration.days(30) }
      }))
      yield* TestClock.adjust(Duration.days(29))
      assert.deepStrictEqual(yield* Effect.forEach(open, erased), open.map(() => false))
      yield* TestClock.adjust(Duration.days(2))
      assert.deepStrictEqual(yield* Effect.forEach(open, erased), open.map(() => true))
      assert.isFalse(yield* erased(sold))
      const audit = yield* AuditInspector
      for (const { application_id } of open.slice(0, 2)) {
        const actions = (yield* audit.entriesOf(application_id)).map(({ action }) => action)
        assert.deepStrictEqual(actions.slice(-2), ["application.cancel", "privacy.anonymise"])
      }
    }).pipe(Effect.provide(layerMemory))
  ))
