import { type ApplicationStage } from "@lastro/domain/loan"
import { type HeldPartner, type HeldUser, PersonalDataStore } from "@lastro/domain/privacy"
import { type ApplicationId, type Cpf } from "@lastro/domain/values"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { auditColumns, auditEntryOf, type AuditRow } from "../audit/auditRow.ts"
import { entryColumns, entryOf, type EntryRow } from "../commission/entryRow.ts"
import { payoutColumns, payoutOf, type PayoutRow } from "../commission/payoutRow.ts"
import { toNullableTimestamp, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"
import { applicationColumns, applicationOf, type ApplicationRow } from "../origination/applicationRow.ts"
import { partnerColumns, partnerOf, type PartnerRow } from "../partner/partnerRow.ts"
import { userColumns, userListItemOf, type UserRow } from "../user/userRow.ts"
import { makeErasureWrites } from "./erasureWrites.ts"

interface Deletable {
  readonly deleted_at: Date | null
}

/** The row of a user, who may be deleted. */
type HeldUserRow = UserRow & Deletable

/** The row of a partner, which may be deleted. */
type HeldPartnerRow = PartnerRow & Deletable

/** The columns of a {@link HeldUserRow}. The table alias is `item`. */
const heldUserColumns = `${userColumns}, item.deleted_at`

/** The columns of a {@link HeldPartnerRow}. The table alias is `item`. */
const heldPartnerColumns = `${partnerColumns}, item.deleted_at`

const heldUserOf = (row: HeldUserRow): HeldUser => ({
  user: userListItemOf(row),
  deleted_at: toNullableTimestamp(row.deleted_at)
})

const heldPartnerOf = (row: HeldPartnerRow): HeldPartner => ({
  partner: partnerOf(row),
  deleted_at: toNullableTimestamp(row.deleted_at)
})

/** The stages of applications without a contract that is in progress, paid or being refunded. */
const unsoldStages: ReadonlyArray<ApplicationStage> = ["QUOTING", "REJECTED", "QUOTE_FAILED", "QUOTED", "CANCELLED"]

/**
 * Maximum time to find and lock the records of a person. Indexes find them quickly, but a user who sells loans can have
 * many.
 */
const searchTimeout = "5min"

export const layer: Layer.Layer<PersonalDataStore, never, SqlClient.SqlClient> = Layer.effect(
  PersonalDataStore,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const writes = makeErasureWrites(sql)
    const users = sql.literal(heldUserColumns)
    const partners = sql.literal(heldPartnerColumns)

    /** Runs statements with a longer `statement_timeout`, and restores the previous one. */
    const withLongTimeout = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
      const [previous] = yield* sql<{ readonly value: string }>`select current_setting('statement_timeout') as value`
      yield* sql`select set_config('statement_timeout', ${searchTimeout}, true)`
      const result = yield* effect
      yield* sql`select set_config('statement_timeout', ${previous?.value ?? "0"}, true)`
      return result
    })

    /** Locks applications in the order of their ids, and then reads them. */
    const lockApplications = Effect.fnUntraced(function*(ids: ReadonlyArray<ApplicationId>) {
      yield* sql`select from application where id = any(${ids}::uuid[]) order by id for no key update`
      const rows = yield* sql<ApplicationRow>`
        select ${
        sql.literal(applicationColumns)
      } from application item where item.id = any(${ids}::uuid[]) order by item.id`
      return rows.map(applicationOf)
    })

    /** Locks all records of a person: as customer, user or partner, and as the seller of a loan to another customer. */
    const find = Effect.fnUntraced(function*(cpf: Cpf) {
      const located = yield* sql<{ readonly id: ApplicationId; readonly is_sale: boolean }>`
        select id, false as is_sale from application where cpf = ${cpf}
        union all
        select application_id, true from proposal
        where facts #>> '{origin,agent,cpf}' = ${cpf} or facts #>> '{origin,partner,document_number}' = ${cpf}`
      const sold = new Set(located.filter(({ is_sale }) => is_sale).map(({ id }) => id))
      const borrowed = new Set(located.filter(({ is_sale }) => !is_sale).map(({ id }) => id))
      const applications = yield* lockApplications([...new Set([...borrowed, ...sold])])
      const userRows = yield* sql<HeldUserRow>`
        select ${users} from app_user item
        where item.cpf = ${cpf} and item.erased_at is null order by item.id for no key update`
      const partnerRows = yield* sql<HeldPartnerRow>`
        select ${partners} from partner item
        where (item.document_number = ${cpf} or item.pix ->> 'key' = ${cpf}) and item.erased_at is null
        order by item.id for no key update`
      return {
        applications: applications.filter(({ application_id }) => borrowed.has(application_id)),
        users: userRows.map(heldUserOf),
        partners: partnerRows.map(heldPartnerOf),
        sales: applications.filter(({ application_id }) => sold.has(application_id))
      }
    })

    return PersonalDataStore.of({
      findForUpdate: Effect.fn("PersonalDataStore.findForUpdate")((cpf) => orDie(withLongTimeout(find(cpf)))),
      findDeleted: Effect.fn("PersonalDataStore.findDeleted")(function*(until, limit) {
        const userRows = yield* orDie(sql<HeldUserRow>`
          select ${users} from app_user item
          where item.deleted_at is not null and item.deleted_at <= ${until}::timestamptz and item.erased_at is null
          order by item.deleted_at limit ${limit} for no key update skip locked`)
        const partnerRows = yield* orDie(sql<HeldPartnerRow>`
          select ${partners} from partner item
          where item.deleted_at is not null and item.deleted_at <= ${until}::timestamptz and item.erased_at is null
          order by item.deleted_at limit ${limit} for no key update skip locked`)
        return { users: userRows.map(heldUserOf), partners: partnerRows.map(heldPartnerOf) }
      }),
      findUnsold: Effect.fn("PersonalDataStore.findUnsold")((until, after, limit) =>
        orDie(withLongTimeout(Effect.gen(function*() {
          const following = after === null
            ? sql`true`
            : sql`(item.updated_at, item.id) > (${after.updated_at}::timestamptz, ${after.application_id}::uuid)`
          // An erasure sets `updated_at`. So an erased application is not selected again for a long time.
          const examined = yield* sql<{ readonly id: ApplicationId; readonly updated_at: Date }>`
            select item.id, item.updated_at
            from partner root cross join unnest(${unsoldStages}::text[]) wanted (stage) cross join lateral (
              select item.id, item.updated_at from application item
              where item.root_id = root.id and item.stage = wanted.stage and item.updated_at <= ${until}::timestamptz
                and item.erased_at is null and ${following}
              order by item.updated_at, item.id limit ${limit}
            ) item
            where root.parent_id is null order by item.updated_at, item.id limit ${limit}`
          const last = examined.at(-1)
          const rows = yield* sql<{ readonly id: ApplicationId }>`
            select id from application
            where id = any(${examined.map(({ id }) => id)}::uuid[]) and erased_at is null
              and stage = any(${unsoldStages}::text[]) and updated_at <= ${until}::timestamptz
            order by id for no key update skip locked`
          const applications = yield* lockApplications(rows.map(({ id }) => id))
          const next = last === undefined || examined.length < limit
            ? null
            : { updated_at: toTimestamp(last.updated_at), application_id: last.id }
          return { applications, next }
        })))
      ),
      commissionsOf: Effect.fn("PersonalDataStore.commissionsOf")(function*(partner_ids) {
        const ids = [...partner_ids]
        const entries = yield* orDie(sql<EntryRow>`
          select ${sql.literal(entryColumns)} from commission_entry item
          where item.partner_id = any(${ids}::uuid[]) order by item.occurred_at, item.id`)
        const payouts = yield* orDie(sql<PayoutRow>`
          select ${sql.literal(payoutColumns)} from commission_payout item
          where item.partner_id = any(${ids}::uuid[]) order by item.created_at, item.id`)
        return { entries: entries.map(entryOf), payouts: payouts.map(payoutOf) }
      }),
      auditOf: Effect.fn("PersonalDataStore.auditOf")((record_ids) =>
        Effect.map(
          orDie(sql<AuditRow>`
            select ${sql.literal(auditColumns)} from audit item
            where item.subject_id = any(${record_ids}::text[]) order by item.position`),
          (rows) => rows.map(auditEntryOf)
        )
      ),
      saveApplication: Effect.fn("PersonalDataStore.saveApplication")((application) =>
        orDie(writes.application(application))
      ),
      saveUser: Effect.fn("PersonalDataStore.saveUser")((user, erased_at) =>
        Effect.asVoid(orDie(writes.user(user, erased_at)))
      ),
      savePartner: Effect.fn("PersonalDataStore.savePartner")((partner, erased_at) =>
        Effect.asVoid(orDie(writes.partner(partner, erased_at)))
      ),
      saveAudit: Effect.fn("PersonalDataStore.saveAudit")((entries) =>
        orDie(Effect.forEach(entries, writes.audit, { discard: true }))
      ),
      deleteTraces: Effect.fn("PersonalDataStore.deleteTraces")((traces) => orDie(writes.traces(traces)))
    })
  })
)
