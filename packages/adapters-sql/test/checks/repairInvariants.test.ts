import { assert, it } from "@effect/vitest"
import { PrincipalRepository } from "@lastro/domain/identity"
import { erasedExternalId } from "@lastro/domain/origination"
import { PersonalDataStore } from "@lastro/domain/privacy"
import {
  answerWithOffers,
  recordContractStatus,
  requestAnotherQuote,
  saveApplication,
  storeApplication,
  storeContractedApplication,
  storeForest,
  storeRootPartner,
  storeUser
} from "@lastro/testkit"
import { Deferred, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { checkInvariants, checkWork, repairInvariants } from "../../src/index.ts"
import { pglite, postgresWithoutFolder } from "../databases.ts"

/** Every fact: all columns that no repair may change. */
const facts = `
  select jsonb_build_object(
    'partners', (select jsonb_agg(to_jsonb(partner) - 'root_id' - 'region_id' order by id) from partner),
    'users', (select jsonb_agg(to_jsonb(app_user) - 'root_id' - 'region_id' order by id) from app_user),
    'applications', (
      select jsonb_agg(
        to_jsonb(application) - 'root_id' - 'region_id' - 'cpf' - 'stage' - 'live_until' - 'rejection_code' - 'listed' - 'unfinished'
        order by id
      ) from application
    ),
    'quotes', (select jsonb_agg(jsonb_build_array(id, application_id, facts) order by id) from quote),
    'proposals', (select jsonb_agg(jsonb_build_array(id, application_id, facts) order by id) from proposal)
  )::text as text`

/** Damages of derived data. `$` is a partner below a root, whose applications are damaged. */
const damages: Readonly<Record<string, string>> = {
  "a root": `update partner set root_id = (
      select id from partner other where parent_id is null and id <> partner.root_id limit 1
    ) where id = $`,
  "a region": "update partner set region_id = id where id = $",
  "the root of records":
    "update application set root_id = partner_id where partner_id = $; update proposal set root_id = partner_id where partner_id = $",
  "the region of records":
    "update application set region_id = gen_random_uuid() where partner_id = $; update proposal set region_id = gen_random_uuid()",
  "a missing row of the index": "delete from subtree_region; delete from subtree_partner where partner_id = $",
  "a wrong row of the index":
    "insert into subtree_partner select $, parent_id from partner where id = $; insert into subtree_region values ($, gen_random_uuid())",
  "columns of applications":
    `update application set unfinished = not unfinished, stage = 'CANCELLED', live_until = now(), rejection_code = 'X', listed = '{}',
      cpf = '0' where partner_id = $`,
  "columns of quotes": "update quote set outcome = 'FAILED'",
  "columns of proposals":
    `update proposal set status = 'REJECTED', cpf = '0', net_amount = 1, customer_folded = '', list_item = 'null',
      updated_at = 'infinity' where partner_id = $`,
  "wrong counts": "update subtree_count set partners = 7, applications_quoted = -1, applications = applications + 1",
  "missing counts": "delete from subtree_count",
  "pending changes":
    "delete from subtree_count_delta; insert into subtree_count_delta (partner_id, partners, users) values ($, 3, 3)",
  "expiries":
    "insert into application_expiry (partner_id, due_at, applications) values ($, now() + interval '1 day', 1)",
  "missing jobs": "delete from job"
}

const holds = Effect.map(Effect.all([checkInvariants, checkWork]), (findings) => findings.flat())

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })(
  "repairInvariants in PostgreSQL",
  (it) => {
    const store = Effect.gen(function*() {
      const [, child] = yield* storeForest([null, 0, 1, 0, null])
      const accepted = yield* storeContractedApplication(child)
      yield* saveApplication(accepted, recordContractStatus(accepted, "AWAITING_SIGNATURE"))
      const opened = yield* storeApplication(child)
      const offered = yield* saveApplication(opened, yield* answerWithOffers(opened))
      const again = yield* storeApplication(child)
      const priced = yield* saveApplication(again, yield* answerWithOffers(again))
      yield* saveApplication(priced, yield* requestAnotherQuote(priced))
      // Starts the jobs of the stored applications.
      yield* repairInvariants
      return { child, offered }
    })
    const readFacts = Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return yield* sql.unsafe(facts)
    })

    it.effect("rebuilds derived data from the facts, and leaves the facts as they are", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { child } = yield* store
        assert.deepStrictEqual(yield* holds, [])
        assert.deepStrictEqual(yield* repairInvariants, [])
        const before = yield* readFacts
        const all = Object.values(damages)
        for (const damage of [...all.slice(0, 2), ...all.slice(-4), all.join(";")]) {
          for (const statement of damage.replaceAll("$", `'${child.partner_id}'`).split(";")) {
            yield* sql.unsafe(statement)
          }
          assert.isNotEmpty(yield* holds, damage)
          assert.isNotEmpty(yield* repairInvariants, damage)
          assert.deepStrictEqual(yield* holds, [], damage)
        }
        assert.deepStrictEqual(yield* readFacts, before)
      }))

    it.effect("T23 DOC-08 users with the key of an earlier version sign in, and get the new key unless it is taken", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const principals = yield* PrincipalRepository
        const root = yield* storeRootPartner()
        const [alone, twin, other] = [yield* storeUser(root), yield* storeUser(root), yield* storeUser(root)]
        const store = (id: string, email: string, key: string) =>
          sql`update app_user set email = ${email}, email_key = ${key} where id = ${id}`
        yield* store(alone.user_id, "a@fácil.example", "a@fácil.example")
        yield* store(twin.user_id, "maſa@example.com", "maſa@example.com")
        yield* store(other.user_id, "masa@example.com", "masa@example.com")
        const signsIn = (email: string) =>
          Effect.map(principals.findByEmail(email), (found) => Option.getOrThrow(found).principal.subject)
        const all = Effect.all([signsIn("A@Fácil.example"), signsIn("maſa@example.com"), signsIn("masa@example.com")])
        const expected: [string, string, string] = [alone.user_id, twin.user_id, other.user_id]
        assert.deepStrictEqual(yield* all, expected)
        const collision = {
          invariant: "No two users have the same e-mail address (DOC-08)",
          count: 1,
          examples: [twin.user_id]
        }
        const outdated = {
          invariant: "Every user has the key of its e-mail address",
          count: 1,
          examples: [alone.user_id]
        }
        assert.deepStrictEqual(yield* checkInvariants, [collision, outdated])
        assert.deepStrictEqual(yield* repairInvariants, [{ repair: "Keys of e-mail addresses", count: 1 }])
        assert.deepStrictEqual(yield* checkInvariants, [collision])
        assert.deepStrictEqual(yield* all, expected)
        yield* store(twin.user_id, twin.email, twin.email)
      }))

    it.effect("PRIV-14 replaces the external id of an application that an earlier version erased, by its keyed hash", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const external_id = "maria-conceicao-4711"
        const { saveApplication } = yield* PersonalDataStore
        const before = yield* storeContractedApplication(yield* storeRootPartner(), { external_id })
        yield* saveApplication({ ...before, erased_at: before.updated_at })
        yield* repairInvariants
        yield* saveApplication({ ...before, erased_at: before.updated_at })
        assert.deepStrictEqual(yield* checkInvariants, [{
          invariant: "An erased application has no external id (PRIV-14)",
          count: 1,
          examples: [before.application_id]
        }])
        assert.deepStrictEqual(yield* repairInvariants, [{ repair: "External ids of erased applications", count: 1 }])
        assert.deepStrictEqual(yield* checkInvariants, [])
        const rows = yield* sql<{ readonly text: string }>`
          select to_jsonb(application)::text as text from application where id = ${before.application_id}
          union all select to_jsonb(proposal)::text from proposal where application_id = ${before.application_id}`
        assert.lengthOf(rows, 2)
        const hash = yield* erasedExternalId(external_id)
        for (const { text } of rows) {
          assert.notInclude(text, external_id)
          assert.include(text, hash)
        }
        assert.deepStrictEqual(yield* repairInvariants, [])
      }))

    it.effect("leaves broken facts as they are, and the check still reports them", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { child, offered } = yield* store
        yield* sql`update quote set facts = '{}' where application_id = ${offered.application_id}`
        yield* sql`update application set stage = 'CANCELLED' where id = ${offered.application_id}`
        yield* sql`update partner set parent_id = id where id = ${child.partner_id}`
        const before = yield* readFacts
        yield* repairInvariants
        assert.includeMembers((yield* holds).map(({ invariant }) => invariant), [
          "No partner is its own ancestor",
          "The stored facts of an application can be read"
        ])
        assert.deepStrictEqual(yield* readFacts, before)
      }))
  }
)

it.layer(pglite(), { excludeTestServices: true, timeout: "1 minute" })("repairInvariants in PGlite", (it) => {
  it.effect("rebuilds all derived data at once", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [, child] = yield* storeForest([null, 0, null])
      yield* storeContractedApplication(child)
      const damage = Object.values(damages).join(";").replaceAll("$", `'${child.partner_id}'`)
      for (const statement of damage.split(";")) yield* sql.unsafe(statement)
      assert.isNotEmpty(yield* repairInvariants)
      assert.deepStrictEqual(yield* holds, [])
    }))
})

it.layer(postgresWithoutFolder(), { excludeTestServices: true, timeout: "1 minute" })(
  "a repair beside writers",
  (it) => {
    it.effect("locks only what it writes: a writer of another record holds up neither columns nor counts of the audit", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const root = yield* storeRootPartner()
        const damaged = yield* storeApplication(root)
        const other = yield* storeApplication(root)
        yield* sql`update application set cpf = '0' where id = ${damaged.application_id}`
        yield* sql`
        insert into audit_count (root_id, field, value, grain, starts_at, entries)
        values (${root.partner_id}, 'action', 'x', 'hour', '2026-01-01', 5)`
        const written = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const writer = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
          yield* sql`update partner set phone = phone where id = ${root.partner_id}`
          yield* sql`update application set version = version where id = ${other.application_id}`
          yield* Deferred.succeed(written, undefined)
          yield* Deferred.await(end)
        })))
        yield* Deferred.await(written)
        const repairs = yield* repairInvariants
        assert.includeMembers(repairs.map(({ repair }) => repair), [
          "Columns of applications",
          "Counts of audit entries"
        ])
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(writer)
        assert.deepStrictEqual(yield* checkInvariants, [])
      }))
  }
)
