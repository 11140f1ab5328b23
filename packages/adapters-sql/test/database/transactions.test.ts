import { assert, it } from "@effect/vitest"
import { type AuditEntry, AuditLog } from "@lastro/domain/audit"
import { asOperator } from "@lastro/domain/hierarchy"
import { IdempotencyStore } from "@lastro/domain/idempotency"
import { foldText } from "@lastro/domain/input"
import { PartnerRepository, type PartnerStatus } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { type Timestamp } from "@lastro/domain/values"
import {
  aPartner,
  aUser,
  exampleHash,
  exampleInstant,
  freshId,
  storeApplication,
  storeForest,
  storeUser
} from "@lastro/testkit"
import { Cause, Effect, Exit, Option } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { DatabaseFailure, orDie } from "../../src/database/DatabaseFailure.ts"
import { postgres } from "../databases.ts"
import { movePartner } from "../hierarchy/movePartner.ts"
import { foldAllCounts, readAllRows } from "./readAllRows.ts"

it.layer(postgres({ maxConnections: 4 }), { excludeTestServices: true, timeout: "1 minute" })(
  "transactions in PostgreSQL",
  (it) => {
    it.effect("T58 a fault after any step of a unit of work stores nothing; without a fault everything is stored", () =>
      Effect.gen(function*() {
        const unit = yield* UnitOfWork
        const partners = yield* PartnerRepository
        const users = yield* UserRepository
        const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
        const user = yield* storeUser(left)
        const child = yield* aPartner({ parent_id: left.partner_id })
        const added = yield* aUser().of(right)
        const entry: AuditEntry = {
          id: yield* freshId,
          at: exampleInstant,
          actor: "operator",
          action: "partner.create",
          subject_id: child.partner_id,
          partner_id: child.partner_id,
          before: null,
          after: { name: child.name },
          changed: [],
          request_id: null
        }
        const slot = { subject: "client", key: yield* freshId }
        const steps = [
          partners.insert(asOperator.inScope(left.partner_id), child),
          users.insert(asOperator.inScope(right.partner_id), added, exampleHash),
          users.update(
            asOperator.inScope({ ...user, partners: [] }),
            { ...user, partner_id: right.partner_id },
            asOperator.inScope(right.partner_id)
          ),
          movePartner(moved, right),
          partners.update(asOperator.inScope(root), { ...root, name: "Other" }),
          Effect.flatMap(AuditLog, (log) => log.record(entry)),
          Effect.flatMap(IdempotencyStore, (store) =>
            store.save(slot, {
              fingerprint: "f",
              partner_id: child.partner_id,
              record_id: child.partner_id,
              answer: "{}",
              stored_at: exampleInstant
            }))
        ]
        yield* foldAllCounts
        const before = yield* readAllRows
        for (let fault = 0; fault <= steps.length; fault++) {
          const work = Effect.all([...steps.slice(0, fault), Effect.die("fault")], { discard: true })
          const exit = yield* Effect.exit(unit.atomically(work))
          assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === "fault")
          assert.strictEqual(yield* readAllRows, before)
        }
        yield* unit.atomically(Effect.all(steps, { discard: true }))
        assert.notStrictEqual(yield* readAllRows, before)
      }))

    it.effect("a transaction of the host on the SQL client is a unit of work that is open", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { isOpen } = yield* UnitOfWork
        assert.isTrue(yield* sql.withTransaction(isOpen))
        assert.isFalse(yield* isOpen)
      }))

    it.effect("T14 foreign keys refuse to delete a partner with children, users or applications", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [, parent, , owner, opener] = yield* storeForest([null, 0, 1, 0, 0])
        yield* storeUser(owner)
        yield* storeApplication(opener)
        for (const { partner_id } of [parent, owner, opener]) {
          const exit = yield* Effect.exit(sql`delete from partner where id = ${partner_id}`)
          const error = Exit.isFailure(exit) ? Option.getOrNull(Cause.findErrorOption(exit.cause)) : null
          assert.strictEqual(SqlError.isSqlError(error) ? error.reason._tag : "deleted", "ConstraintError")
        }
      }))

    it.effect("T16 the wildcards of `like` in a filter match themselves and nothing else", () =>
      Effect.gen(function*() {
        const partners = yield* PartnerRepository
        const names = ["100% pure", "100 pure", "a_b", "acb", "back\\slash", "backslash"]
        const [root] = yield* storeForest(
          [null, ...names.map(() => 0)],
          (index) => ({ name: names[index - 1] ?? "root" })
        )
        const listNames = (name: string) =>
          Effect.map(
            partners.list(asOperator.scope(root.partner_id), {
              filters: { name: foldText(name) },
              page: { number: 0, size: 20 },
              sort: [{ property: "name", direction: "asc" }]
            }),
            ({ items }) => items.map((item) => item.name)
          )
        assert.deepStrictEqual(yield* listNames("%"), ["100% pure"])
        assert.deepStrictEqual(yield* listNames("_"), ["a_b"])
        assert.deepStrictEqual(yield* listNames("\\"), ["back\\slash"])
        assert.deepStrictEqual(yield* listNames("%pure"), [])
      }))

    it.effect("the idempotency table reveals neither the key nor the request nor the answer", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const store = yield* IdempotencyStore
        const [root] = yield* storeForest([null])
        const slot = { subject: "the-subject", key: "the-key" }
        yield* store.save(slot, {
          fingerprint: "the-fingerprint",
          partner_id: root.partner_id,
          record_id: root.partner_id,
          answer: "{\"password\":\"the-answer\"}",
          stored_at: exampleInstant
        })
        const [row] = yield* sql<{ readonly hex: string; readonly escaped: string }>`
          select encode(slot || sealed, 'hex') as hex, encode(slot || sealed, 'escape') as escaped
          from idempotency where partner_id = ${root.partner_id}`
        for (const secret of ["the-subject", "the-key", "the-fingerprint", "the-answer", "password"]) {
          assert.notInclude(row?.escaped, secret)
          assert.notInclude(row?.hex, Buffer.from(secret).toString("hex"))
        }
        assert.isTrue(Option.isSome(yield* store.find(slot, exampleInstant)))
        yield* sql`update idempotency set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))
          where partner_id = ${root.partner_id}`
        assert.isTrue(Exit.isFailure(yield* Effect.exit(store.find(slot, exampleInstant))))
      }))

    it.effect("save deletes expired answers, at most 10 at a time", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const store = yield* IdempotencyStore
        const [root] = yield* storeForest([null])
        const save = (key: string, stored_at: Timestamp) =>
          store.save({ subject: "old", key }, {
            fingerprint: "f",
            partner_id: root.partner_id,
            record_id: root.partner_id,
            answer: "1",
            stored_at
          })
        yield* Effect.forEach(Array.from({ length: 15 }, (_, index) => `old ${index}`), (key) =>
          save(key, exampleInstant))
        const left = Effect.map(
          sql<{ readonly left: number }>`
            select count(*)::int as left from idempotency`,
          ([row]) =>
            row?.left
        )
        const nextDay = "2026-02-01T12:00:00.001Z" as Timestamp
        const before = yield* left
        yield* save("new", nextDay)
        assert.strictEqual(yield* left, (before ?? 0) - 10 + 1)
        yield* save("newer", nextDay)
        assert.strictEqual(yield* left, 2)
      }))

    it.effect("a database defect contains the SQLSTATE and no value", () =>
      Effect.gen(function*() {
        const [root] = yield* storeForest([null], () => ({ name: "Nome Secreto", document_number: "12345678909" }))
        const broken = { ...root, status: "neither" as PartnerStatus }
        const exit = yield* Effect.exit((yield* PartnerRepository).update(asOperator.inScope(root), broken))
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        const rendered = `${String(defect)} ${JSON.stringify(defect)} ${
          Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
        }`
        assert.include(rendered, "23514")
        assert.notInclude(rendered, "12345678909")
        assert.notInclude(rendered, "Secreto")
        assert.notInclude(rendered, root.partner_id)
      }))

    it.effect("a statement timeout is Busy inside a unit of work and a transient defect outside of one", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const slow = Effect.andThen(sql`set local statement_timeout = 20`, sql`select pg_sleep(5)`)
        const inside = yield* Effect.flip((yield* UnitOfWork).atomically(slow))
        assert.strictEqual(inside._tag, "Busy")
        const outside = yield* Effect.flip(Effect.sandbox(orDie(sql.withTransaction(slow))))
        const defect = Cause.squash(outside)
        assert.isTrue(defect instanceof DatabaseFailure && defect.isTransient)
      }))
  }
)
