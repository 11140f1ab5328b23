import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type Application } from "@lastro/domain/loan"
import { ApplicationRepository, isContracted } from "@lastro/domain/origination"
import { type ApplicationId, type PartnerId, type ProposalId, type QuoteId } from "@lastro/domain/values"
import { Array as Arr, Effect, Equal, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { locks } from "../database/locks.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { sendAhead } from "../database/postgres/statements.ts"
import { locationOf, rootAndRegion, subtreeBelow, toFoundRecord } from "../hierarchy/subtree.ts"
import { exportListing } from "../paging/exportRows.ts"
import { listPages } from "../paging/listPages.ts"
import { listing, toListFilters } from "./applicationListing.ts"
import {
  applicationColumns,
  applicationOf,
  type ApplicationRow,
  immutableApplicationValues,
  kycValues,
  listedApplicationOf,
  metadataValue,
  mutableApplicationValues,
  requirementsValue
} from "./applicationRow.ts"
import { makeApplicationWrites } from "./applicationWrites.ts"
import { recordCounts } from "./countChanges.ts"
import { countPlaces } from "./placeCounts.ts"

type ScopedRow = ApplicationRow & { readonly inside: boolean }

/** Stores applications. The lock on an application's row also guards its quotes and its proposal. */
export const layer: Layer.Layer<ApplicationRepository, never, SqlClient.SqlClient> = Layer.effect(
  ApplicationRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(applicationColumns)
    const lock = locks(sql)
    const writes = makeApplicationWrites(sql)
    const withWrites = (expressions: ReadonlyArray<Fragment>) => sql.csv("with", expressions)

    const selectScoped = precompileRead(sql, { id: "uuid", top: "uuid" }, ({ id, top }) =>
      sql<ScopedRow>`
        select ${columns}, ${subtreeBelow(sql, top).contains(locationOf(sql, sql.literal("item.partner_id")))} as inside
        from application item where item.id = ${id}`)
    const selectByExternalId = precompileRead(
      sql,
      { top: "uuid", external_id: "text", limit: "int" },
      ({ external_id, limit, top }) =>
        sql<ApplicationRow>`
        select ${columns}
        from (
          select id from application
          where root_id = (select root_id from partner where id = ${top}) and external_id = ${external_id}
            and ${subtreeBelow(sql, top).contains(locationOf(sql, sql.literal("application.partner_id")))}
          order by created_at desc, id desc limit ${limit}
        ) newest join application item on item.id = newest.id
        order by item.created_at desc, item.id desc`
    )
    const readPage = listPages(sql, listing, listedApplicationOf)
    const exportWhole = exportListing(sql, listing, listedApplicationOf)
    const find = ({ partner_id: top }: SubtreeScope, id: ApplicationId) =>
      Effect.map(orDie(selectScoped({ top, id })), (rows) => toFoundRecord(rows, applicationOf))

    const findById = (id: Fragment) =>
      Effect.map(
        orDie(sql<ApplicationRow>`select ${columns} from application item where item.id = ${id}`),
        (rows) => Option.map(Arr.head(rows), applicationOf)
      )

    const insert = (owner: PartnerId, application: Application) => {
      const { cpf, created_at, created_by, customer, external_id, id } = immutableApplicationValues(application)
      const {
        cancellation,
        course,
        listed,
        live_until,
        place,
        place_from,
        place_until,
        placed_version,
        rejection_code,
        stage,
        unfinished,
        updated_at,
        version
      } = mutableApplicationValues(application)
      const { kyc, kyc_at } = kycValues(application.kyc, updated_at)
      const expressions = [
        writes.saveQuotes(application.application_id, application.quotes),
        ...(isContracted(application) ? [writes.insertProposal(owner, application)] : []),
        sql`owner as (select ${owner}::uuid as partner_id)`
      ]
      return sql`
        ${withWrites([...expressions, ...recordCounts(sql, "owner", undefined, application)])}
        insert into application (
          id, partner_id, root_id, region_id, external_id, cpf, created_by, customer, metadata, kyc, kyc_at, unfinished, stage,
          live_until, place, place_from, place_until, course, placed_version, rejection_code, listed, created_at, updated_at, version, cancellation, requirements
        )
        values (
          ${id}, ${owner}, ${rootAndRegion(sql, owner)}, ${external_id}, ${cpf}, ${created_by}, ${customer},
          ${metadataValue(application)}, ${kyc},
          ${kyc_at}, ${unfinished}, ${stage}, ${live_until},
          ${place}, ${place_from}, ${place_until}, ${course}, ${placed_version}, ${rejection_code}, ${listed}, ${created_at}, ${updated_at},
          ${version}, ${cancellation}, ${requirementsValue(application).requirements}
        )`
    }

    const proposalWrites = (before: Application, after: Application): ReadonlyArray<Fragment> => {
      if (!isContracted(after) || Equal.equals(after.proposal, before.proposal)) return []
      return before.proposal === null
        ? [writes.insertProposal(before.partner_id, after)]
        : [writes.updateProposal(after)]
    }

    const diffWrites = (before: Application, after: Application): ReadonlyArray<Fragment> => {
      const changed = after.quotes.filter((quote, index) => !Equal.equals(quote, before.quotes[index]))
      const quotes = Arr.isReadonlyArrayNonEmpty(changed) ? [writes.saveQuotes(before.application_id, changed)] : []
      return [...quotes, ...proposalWrites(before, after)]
    }

    const save = (before: Application, after: Application) => {
      const values = {
        ...mutableApplicationValues(after),
        ...(Equal.equals(after.kyc, before.kyc) ? {} : kycValues(after.kyc, after.updated_at)),
        ...(Equal.equals(after.requirements, before.requirements) ? {} : requirementsValue(after))
      }
      const saved = sql`saved as (
          update application set ${sql.update(values)}
          where id = ${before.application_id} and version = ${before.version} returning id, partner_id
        )`
      return sql<{ readonly id: ApplicationId }>`
        ${withWrites([...diffWrites(before, after), saved, ...recordCounts(sql, "saved", before, after)])}
        select id from saved`
    }

    return ApplicationRepository.of({
      find,
      findForUpdate: Effect.fnUntraced(function*(scope, id) {
        // The read is a separate statement, because it must start after the lock was acquired. Only then does it see
        // the rows that the previous holder wrote to other tables.
        yield* orDie(sendAhead(sql`select from application where id = ${id} for no key update`))
        return yield* find(scope, id)
      }),
      findByExternalId: ({ partner_id: top }, external_id, limit) =>
        Effect.map(orDie(selectByExternalId({ top, external_id, limit })), (rows) => rows.map(applicationOf)),
      list: (scope, query, budget) => readPage(scope, { ...query, filters: toListFilters(query) }, budget),
      exportAll: (scope, query) => exportWhole(scope, { ...query, filters: toListFilters(query) }),
      countPlaces: countPlaces(sql),
      ofId: (id) => findById(sql`${id}`),
      ofQuote: (quote) => findById(sql`(select application_id from quote where id = ${quote})`),
      ofProposal: (proposal) => findById(sql`(select application_id from proposal where id = ${proposal})`),
      holderOfReference: Effect.fnUntraced(function*(reference, lender) {
        // A separate statement, as in `findForUpdate`: the read must start after the lock was acquired.
        yield* orDie(sendAhead(lock.exclusive("reference", reference)))
        const rows = yield* orDie(sql<{ readonly id: ProposalId }>`
          select id from proposal where facts ->> 'reference' = ${reference} and not reference_repeated and coalesce(lender, ${lender}) = ${lender}`)
        return Option.map(Arr.head(rows), ({ id }) => id)
      }),
      takeExpired: Effect.fnUntraced(function*(at) {
        const [due] = yield* orDie(sql<{ readonly application_id: ApplicationId; readonly quote_id: QuoteId }>`
          select application.id as application_id, quote.id as quote_id
          from quote join application on application.id = quote.application_id
          where quote.expiry_due <= ${at} order by quote.expiry_due limit 1
          for no key update of application skip locked`)
        if (due === undefined) return Option.none()
        const { application_id, quote_id } = due
        // Another node may have taken the quote before the application was locked.
        const taken = yield* orDie(sql`
          update quote set expiry_due = null where id = ${quote_id} and expiry_due is not null returning id`)
        if (taken.length === 0) return Option.none()
        return Option.map(yield* findById(sql`${application_id}`), (application) => ({ application, quote_id }))
      }),
      contractedByCustomer: Effect.fnUntraced(function*({ record }) {
        const { application_id, customer: { cpf } } = record
        const root = sql`(select root_id from application where id = ${application_id})`
        // A separate statement, as in `findForUpdate`: the read must start after the lock was acquired.
        yield* orDie(sendAhead(lock.exclusive("customer", sql`concat(${root}, ' ', ${cpf}::text)`)))
        const rows = yield* orDie(sql<ApplicationRow>`
          select ${columns} from proposal accepted join application item on item.id = accepted.application_id
          where accepted.cpf = ${cpf} and accepted.root_id = ${root} and item.id <> ${application_id}`)
        return rows.map(applicationOf)
      }),
      insert: (owner, application) => orDie(sendAhead(insert(owner.record, application))),
      save: Effect.fnUntraced(function*({ record }, after) {
        const saved = yield* orDie(save(record, after))
        if (saved.length === 0) return yield* Effect.die(new Error("The application was changed after it was read"))
      }),
      saveMetadata: ({ record: { application_id } }, metadata) =>
        orDie(
          sendAhead(sql`update application set metadata = ${metadataValue({ metadata })} where id = ${application_id}`)
        ),
      versions: (ids) =>
        Effect.map(
          orDie(sql<{ readonly id: ApplicationId; readonly version: number }>`
            select id, version from application where id = any(${ids}::uuid[])`),
          (rows) => new Map(rows.map(({ id, version }) => [id, version]))
        )
    })
  })
)
