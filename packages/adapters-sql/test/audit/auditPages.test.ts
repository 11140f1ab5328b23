import { assert, it } from "@effect/vitest"
import { type AuditEntry, type AuditFilters, AuditLog, AuditRetention, AuditTrail } from "@lastro/domain/audit"
import { asOperator } from "@lastro/domain/hierarchy"
import { CostlyAbove } from "@lastro/domain/ports"
import { PersonalDataStore } from "@lastro/domain/privacy"
import { timestampOf } from "@lastro/domain/values"
import { freshId, storeForest, storeRootPartner } from "@lastro/testkit"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants, foldAuditCounts, repairInvariants } from "../../src/index.ts"
import { awaitBlockedTransaction } from "../coordination.ts"
import { postgresWithoutFolder } from "../databases.ts"

const minute = 60_000
const start = Date.UTC(2026, 0, 1)
const at = (minutes: number) => timestampOf(start + minutes * minute)

const passes = ({ action, actor, from, partner_id, subject_id, to }: AuditFilters) => (entry: AuditEntry): boolean =>
  (subject_id === undefined || entry.subject_id === subject_id) && (actor === undefined || entry.actor === actor)
  && (action === undefined || entry.action === action) && (from === undefined || entry.at >= from)
  && (to === undefined || entry.at < to) && (partner_id === undefined || entry.partner_id === partner_id)

const keyOf = ({ at, id }: AuditEntry): string => `${at} ${id}`

const store = Effect.fnUntraced(function*(partner_id: AuditEntry["partner_id"], index: number) {
  const entry: AuditEntry = {
    id: yield* freshId,
    // Three entries an hour, over three days, with gaps; some at whole hours and days, some at the same time.
    at: at(index % 20 * 20 + index % 3 * 1_440),
    // One actor is busy.
    actor: index % 7 === 0 ? "ana" : index % 9 === 0 ? "bia" : "operator",
    action: ["user.update", "kyc_read"][index % 2] ?? "",
    subject_id: `subject ${index % 7}`,
    partner_id,
    before: null,
    after: { status: "ACTIVE" },
    changed: ["status"],
    request_id: null
  }
  yield* (yield* AuditLog).record(entry)
  return entry
})

const foldAll = Effect.repeat(foldAuditCounts, { until: (counted) => counted === 0 })

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })(
  "the list of the audit in PostgreSQL",
  (it) => {
    it.effect("is the same by every access path, with entries counted or not", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { list } = yield* AuditTrail
        const [root, child, grandchild, stranger] = yield* storeForest([null, 0, 1, null])
        const all = [root, child, grandchild, stranger]
        const stored: Array<AuditEntry> = []
        const add = (count: number) =>
          Effect.repeat(
            Effect.suspend(() =>
              Effect.map(
                store((all[stored.length % 4] ?? root).partner_id, stored.length),
                (entry) => stored.push(entry)
              )
            ),
            { times: count - 1 }
          )
        const filters: ReadonlyArray<AuditFilters> = [
          {},
          { action: "kyc_read" },
          { actor: "bia" },
          { actor: "operator" },
          { subject_id: "subject 3" },
          { from: at(0), to: at(4_320) },
          { from: at(1_440) },
          { to: at(2_890) },
          { from: at(70), to: at(80) },
          { from: at(95), to: at(3_010) },
          { from: at(200), to: at(100) },
          { action: "kyc_read", from: at(95), to: at(1_550) },
          { actor: "ana", from: at(95) },
          { actor: "ana", action: "user.update" },
          { subject_id: "subject 1", action: "kyc_read", to: at(1_500) },
          { actor: "nobody" },
          { partner_id: child.partner_id },
          { partner_id: child.partner_id, actor: "ana", from: at(95) },
          { partner_id: grandchild.partner_id, subject_id: "subject 1" },
          { partner_id: stranger.partner_id, action: "kyc_read" }
        ]
        const compare = Effect.fnUntraced(
          function*(
            ...paths: ReadonlyArray<readonly [costlyAbove: number, number: number, direction: "asc" | "desc"]>
          ) {
            for (const filter of filters) {
              for (const top of [root, child, grandchild, stranger]) {
                const partners = new Set(
                  all.slice(all.indexOf(top), top === stranger ? 4 : 3).map(({ partner_id }) => partner_id)
                )
                const matched = stored.filter((entry) => partners.has(entry.partner_id) && passes(filter)(entry))
                  .toSorted((one, other) => keyOf(one) < keyOf(other) ? 1 : -1)
                for (const [costlyAbove, number, direction] of paths) {
                  const slice = yield* Effect.provideService(
                    list(asOperator.scope(top.partner_id), {
                      filters: filter,
                      page: { number, size: 3 },
                      sort: [{ property: "at", direction }]
                    }),
                    CostlyAbove,
                    costlyAbove
                  )
                  const expected = direction === "asc" ? matched.toReversed() : matched
                  assert.deepStrictEqual(slice, {
                    items: expected.slice(number * 3, number * 3 + 3),
                    total: expected.length
                  }, JSON.stringify({ filter, top: all.indexOf(top), costlyAbove, number }))
                }
              }
            }
          }
        )
        yield* add(40)
        yield* compare([0, 0, "desc"])
        yield* foldAll
        yield* add(13)
        yield* compare([6, 1, "asc"], [8_000, 0, "desc"])
        yield* foldAll
        yield* compare([8_000, 2, "asc"])
        assert.deepStrictEqual(
          yield* sql`select count(*)::int as rows from audit where position > (select folded_until from audit_count_fold)`,
          [{ rows: 0 }]
        )
        assert.deepStrictEqual(yield* checkInvariants, [])

        const damaged = [
          "update audit_count set entries = entries + 1 where field = 'all' and grain = 'ever'",
          "update audit_count set entries = entries + 1 where field = 'action' and grain = 'hour'",
          "update audit_count set entries = 1 where field = 'actor'"
        ]
        for (const statement of damaged) {
          yield* sql.unsafe(statement)
          const [finding] = yield* checkInvariants
          assert.strictEqual(finding?.invariant, "Stored counts of audit entries equal the actual counts")
          assert.deepStrictEqual((yield* repairInvariants).map(({ repair }) => repair), ["Counts of audit entries"])
          yield* foldAll
          assert.deepStrictEqual(yield* checkInvariants, [])
        }
      }), 60_000)

    it.effect(
      "AUDIT-05 counts stay exact while old entries are deleted, whether they were counted or not",
      () =>
        Effect.gen(function*() {
          const { list } = yield* AuditTrail
          const { deleteBefore, exportBefore } = yield* AuditRetention
          const sql = yield* SqlClient.SqlClient
          const { partner_id } = yield* storeRootPartner()
          yield* foldAll
          for (let index = 0; index < 60; index++) yield* store(partner_id, index)
          yield* foldAll
          for (let index = 60; index < 90; index++) yield* store(partner_id, index)
          const limit = at(1_500)
          const totalsOf = (filters: AuditFilters) =>
            Effect.map(
              list(asOperator.scope(partner_id), {
                filters,
                page: { number: 0, size: 3 },
                sort: [{ property: "at", direction: "desc" }]
              }),
              ({ total }) => total
            )
          const filters: ReadonlyArray<AuditFilters> = [{}, { action: "kyc_read" }, { actor: "operator" }]
          const expected = yield* Effect.forEach(filters, (filter) => totalsOf({ ...filter, from: limit }))
          let exported = 0
          yield* Stream.runForEach(exportBefore(limit), () => Effect.sync(() => exported++))
          let deleted = 0
          for (let last = yield* deleteBefore(limit, 7); last > 0; last = yield* deleteBefore(limit, 7)) {
            deleted += last
            assert.deepStrictEqual(yield* checkInvariants, [])
          }
          assert.strictEqual(deleted, exported)
          assert.deepStrictEqual(yield* Effect.forEach(filters, totalsOf), expected)
          assert.deepStrictEqual(
            yield* sql`select from audit_count where entries = 0 and starts_at < ${limit}::timestamptz`,
            []
          )
          yield* foldAll
          assert.deepStrictEqual(yield* Effect.forEach(filters, totalsOf), expected)
          assert.deepStrictEqual(yield* checkInvariants, [])
        }),
      60_000
    )

    it.effect("an export reads several pieces", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { partner_id } = yield* storeRootPartner()
        // Entries of the same time, so that the pieces also depend on the ids.
        yield* sql`
          insert into audit (id, at, actor, action, subject_id, partner_id, changed)
          select gen_random_uuid(), '1970-01-02', 'operator', 'user.update', number::text, ${partner_id}, '{}'
          from generate_series(1, 2500) number`
        const { deleteBefore, exportBefore } = yield* AuditRetention
        const before = timestampOf(Date.UTC(1970, 0, 3))
        const ids = Array.from(yield* Stream.runCollect(exportBefore(before)), ({ id }) => id)
        assert.strictEqual(new Set(ids).size, 2_500)
        assert.deepStrictEqual(ids, ids.toSorted())
        assert.strictEqual(yield* deleteBefore(before, 10_000), 2_500)
        yield* foldAll
      }))

    it.effect("counts an entry that commits after entries with a later position", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { list } = yield* AuditTrail
        const partner = yield* storeRootPartner()
        const total = Effect.map(
          list(asOperator.scope(partner.partner_id), {
            filters: {},
            page: { number: 0, size: 3 },
            sort: [{ property: "at", direction: "desc" }]
          }),
          (slice) => slice.total
        )
        yield* foldAll
        const [written, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const early = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
          yield* store(partner.partner_id, 1)
          // The entry was sent without waiting for the result. PostgreSQL answers this statement after it has written the entry.
          yield* sql`select`
          yield* Deferred.succeed(written, undefined)
          yield* Deferred.await(end)
        })))
        yield* Deferred.await(written)
        yield* store(partner.partner_id, 2)
        assert.strictEqual(yield* foldAuditCounts, 0)
        assert.strictEqual(yield* total, 1)
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(early)
        assert.strictEqual(yield* total, 2)
        // Positions of deleted entries count, too.
        assert.isAtLeast(yield* foldAuditCounts, 2)
        assert.strictEqual(yield* total, 2)
      }))
  }
)

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })(
  "a read of the audit with a budget",
  (it) => {
    it.effect("never fails for a tree that has no more entries than the budget, with entries counted or not", () =>
      Effect.gen(function*() {
        const { list } = yield* AuditTrail
        const [old, young] = yield* storeForest([null, null])
        const total = (size: number, budget: number) =>
          list(asOperator.scope(old.partner_id), {
            filters: {},
            page: { number: 0, size },
            sort: [{ property: "at", direction: "desc" }]
          }, budget).pipe(
            Effect.map((slice) => [slice.items.length, slice.total]),
            Effect.catchTag("ReadBudgetExceeded", () => Effect.succeed("refused"))
          )
        for (let index = 0; index < 20; index++) yield* store(old.partner_id, index)
        const compare = Effect.gen(function*() {
          assert.deepStrictEqual(yield* total(100, 20), [20, 20])
          assert.deepStrictEqual(yield* total(10, 25), [10, 20])
          assert.strictEqual(yield* total(100, 19), "refused")
        })
        yield* compare
        yield* foldAll
        yield* compare
        // The newest entries are those of another tree.
        for (let index = 0; index < 60; index++) {
          yield* (yield* AuditLog).record({
            ...(yield* store(young.partner_id, index)),
            id: yield* freshId,
            at: at(9_000)
          })
        }
        yield* foldAll
        yield* compare
      }))
  }
)

const lockTimeout = 200

it.layer(postgresWithoutFolder({ lockTimeout }), { excludeTestServices: true, timeout: "1 minute" })(
  "a prune of the audit beside an erasure",
  (it) => {
    for (const [sentence, pause] of [["", 0], [" for longer than the lock timeout", 3 * lockTimeout]] as const) {
      it.effect(`AUDIT-05 deletes entries that an erasure changes${sentence}: it neither skips them nor ends early`, () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const { deleteBefore } = yield* AuditRetention
          const { saveAudit } = yield* PersonalDataStore
          const { list } = yield* AuditTrail
          const { partner_id } = yield* storeRootPartner()
          const entries = yield* Effect.forEach([0, 1, 2, 3, 4, 5], (index) => store(partner_id, index))
          yield* foldAll
          const [, ...later] = entries.toSorted((one, other) => keyOf(one) < keyOf(other) ? -1 : 1)
          const changed = yield* Deferred.make<void>()
          const erasing = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
            yield* saveAudit(later.slice(0, 2).map((entry) => ({ ...entry, before: null, after: null, changed: [] })))
            yield* Deferred.succeed(changed, undefined)
            yield* awaitBlockedTransaction
            yield* Effect.sleep(pause)
          })))
          yield* Deferred.await(changed)
          const pieces: Array<number> = []
          do pieces.push(yield* deleteBefore(at(9_000), 2))
          while (pieces.at(-1) !== 0)
          yield* Fiber.join(erasing)
          assert.deepStrictEqual(pieces, [2, 2, 2, 0])
          const query = {
            filters: {},
            page: { number: 0, size: 3 },
            sort: [{ property: "at", direction: "desc" }]
          } as const
          assert.deepStrictEqual(yield* list(asOperator.scope(partner_id), query), { items: [], total: 0 })
          assert.deepStrictEqual(yield* checkInvariants, [])
        }))
    }
  }
)
