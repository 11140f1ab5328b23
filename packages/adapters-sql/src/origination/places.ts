import { loanPlaces, placeWithoutPartner } from "@lastro/domain/loan"
import { isContracted } from "@lastro/domain/origination"
import { type Timestamp } from "@lastro/domain/values"
import { Effect, Result } from "effect"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { placeAt } from "../paging/appliedFilters.ts"
import {
  applicationColumns,
  applicationOf,
  type ApplicationRow,
  courseValues,
  mutableProposalValues
} from "./applicationRow.ts"

/** Maximum number of applications whose place changes in one transaction. */
const batchSize = 500

/**
 * Returns the statement that stores the places that a batch of applications has reached at `at` by time alone. Skips
 * applications that another transaction has locked.
 */
export const reachPlaces = (sql: SqlClient.SqlClient, at: Timestamp) => {
  const time = sql`${at}::timestamptz`
  const begin = sql`(step ->> 'from')::timestamptz`
  const steps = sql`json_array_elements(item.course) step`
  return sql`
    with due as (
      select id from application where place_until <= ${time} and place_until < 'infinity'
      order by place_until limit ${batchSize} for no key update skip locked
    )
    update application item set
      place = ${placeAt(sql, time).place},
      place_from = (select max(${begin}) from ${steps} where ${begin} <= ${time}),
      place_until = coalesce((select min(${begin}) from ${steps} where ${begin} > ${time}), 'infinity')
    from due where item.id = due.id
    returning item.id`
}

/** The places that change when the partner of an application is deleted (FGTS-74), each with the new place. */
const endedPlaces = Array.from(loanPlaces.keys(), (place) => [place, placeWithoutPartner(place)] as const)
  .filter(([place, after]) => place !== after)

/**
 * Returns the statement that changes the places of applications whose partner is deleted. `owned` is the condition that
 * selects the applications.
 */
export const endRequotes = (sql: SqlClient.SqlClient, owned: Fragment): Fragment => {
  const cases = endedPlaces.map(([place, after]) => `when '${place}' then '${after}'`).join(" ")
  const course = endedPlaces.reduce(
    (text, [place, after]) => `replace(${text}, '"${place}"', '"${after}"')`,
    "course::text"
  )
  const names = endedPlaces.map(([place]) => `'${place}'`).join(", ")
  return sql`
    update application set
      place = case place ${sql.literal(cases)} else place end,
      course = ${sql.literal(course)}::json
    where ${owned} and (place in (${sql.literal(names)}) or course is not null)`
}

interface UnplacedRow extends ApplicationRow {
  readonly id: string
}

/**
 * Returns the place columns of an application, and the filter columns of its proposal if it has one. Undefined if its
 * facts cannot be read.
 */
const columnsOf = ({ id, ...row }: UnplacedRow) => {
  const columns = Result.try(() => {
    const application = applicationOf(row)
    const place = { id, ...courseValues(application) }
    if (!isContracted(application)) return place
    const { created_by, lender, list_item, paid_at, table_code } = mutableProposalValues(application)
    return { ...place, created_by, lender, list_item, paid_at, table_code }
  })
  return Result.isSuccess(columns) ? columns.success : undefined
}

/**
 * Stores the place of up to `size` applications that an earlier version wrote, and the filter columns of their
 * proposals. Processes them in the order of their ids. Skips applications that are locked, have changed meanwhile or
 * cannot be read. Returns the last id, or null after the last application.
 */
export const fillPlaces = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, after: string, size: number) {
  const rows = yield* sql<UnplacedRow>`
    select ${sql.literal(applicationColumns)}, item.id
    from (
      select id from application
      where placed_version is distinct from version and id > ${after} order by id limit ${size}
    ) unplaced join application item on item.id = unplaced.id
    order by item.id`
  const last = rows.at(-1)
  if (last === undefined) return null
  const placed = rows.map(columnsOf).filter((columns) => columns !== undefined)
  yield* sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as given (
        id uuid, place text, place_until timestamptz, course text, placed_version integer, created_by text,
        lender text, table_code text, paid_at timestamptz, list_item text
      )
    ),
    free as (
      select application.id from application join given using (id)
      where application.version = given.placed_version for no key update of application skip locked
    ),
    proposed as (
      update proposal set created_by = given.created_by, lender = given.lender, table_code = given.table_code,
        paid_at = given.paid_at, list_item = given.list_item::json
      from given join free using (id)
      where proposal.application_id = given.id and given.list_item is not null
    )
    update application set place = given.place, place_from = '-infinity', place_until = given.place_until,
      course = given.course::json, placed_version = given.placed_version
    from given join free using (id) where application.id = given.id`
  return rows.length < size ? null : last.id
})
