import { FgtsKyc, fgtsKyc } from "@lastro/domain/kyc"
import { FgtsApplication } from "@lastro/domain/origination"
import { type ApplicationId } from "@lastro/domain/values"
import { Effect, Result, Schema, SchemaIssue } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { applicationOf } from "../origination/applicationRow.ts"
import { readableApplication, violationsOf } from "./checkApplications.ts"
import { findStored, type StoredApplication, viewOf } from "./storedApplications.ts"

/** A stored application. It shows the columns even if the facts cannot be read. */
export interface ApplicationInspection {
  readonly application_id: ApplicationId
  readonly partner_id: string
  readonly external_id: string
  /** The stage that lists filter by. */
  readonly stage: string
  readonly version: number
  readonly quotes: ReadonlyArray<{ readonly quote_id: string; readonly number: number; readonly outcome: string }>
  /** False if no use case can read the application. */
  readonly is_readable: boolean
  /** The problems that `check` finds, one sentence each, without personal data. */
  readonly problems: ReadonlyArray<string>
}

/** Maximum number of fields in one problem. */
const maxFields = 20

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns one problem per field that a schema rejects. It names the field, and never contains the value. */
const refusedFields = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, value: unknown, prefix: string) => {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(value)
  if (Result.isSuccess(decoded)) return []
  const paths = formatIssue(decoded.failure.issue).issues.map(({ path = [] }) =>
    [prefix, ...path.map(String)].filter((step) => step !== "").join(".")
  )
  return [...new Set(paths)].slice(0, maxFields).map((path) => `The facts of the field ${path} are missing or invalid.`)
}

const isTime = (value: Date | null): boolean =>
  value === null || value instanceof Date && !Number.isNaN(value.getTime())

/** Returns one problem per fact that is missing or has the wrong type. */
const findShapeProblems = (
  { cancellation, created_at, customer, kyc, proposal, quotes, requirements, updated_at }: StoredApplication
) => [
  ...isObject(customer) ? [] : [customer === null ? "The customer is missing." : "The customer is not a JSON object."],
  ...Object.entries({ cancellation, kyc, proposal, requirements }).flatMap(([name, part]) =>
    part === null || part === undefined || isObject(part) ? [] : [`The ${name} is not a JSON object.`]
  ),
  ...quotes === null || quotes.length === 0 ? ["The application has no quote."] : [],
  ...(quotes ?? []).flatMap((quote: unknown, index) =>
    isObject(quote) ? [] : [`The quote ${index + 1} is not a JSON object.`]
  ),
  ...Object.entries({ created_at, updated_at }).flatMap(([name, time]) =>
    isTime(time) ? [] : [`The time ${name} cannot be represented.`]
  )
]

/** Returns one problem per fact that prevents the application from being read. */
const findReadProblems = (row: StoredApplication): ReadonlyArray<string> => {
  const shapeProblems = findShapeProblems(row)
  if (shapeProblems.length > 0) return shapeProblems
  const issues = Result.try(() => {
    const application = applicationOf(row)
    return [
      ...refusedFields(FgtsApplication, viewOf(application), ""),
      ...application.kyc === null ? [] : refusedFields(FgtsKyc, fgtsKyc(application, application.kyc), "kyc")
    ]
  })
  return Result.getOrElse(issues, () => ["A part of the facts is missing, so that no response can be built from them."])
}

const inspect = (row: StoredApplication): ApplicationInspection => {
  const violations = violationsOf(row)
  const is_readable = !violations.includes(readableApplication)
  return {
    application_id: row.application_id,
    partner_id: row.partner_id,
    external_id: row.external_id,
    stage: row.stage,
    version: row.version,
    quotes: (row.quote_columns ?? []).map(([quote_id, number, outcome]) => ({ quote_id, number, outcome })),
    is_readable,
    problems: is_readable ? violations.map((invariant) => `Violated: ${invariant}.`) : findReadProblems(row)
  }
}

/**
 * Reads the columns of an application and checks its facts like `checkInvariants`. Never fails because of damaged data.
 * Returns null if there is no such application, or if it has two proposals.
 */
export const inspectApplication = (application_id: string) =>
  Effect.gen(function*() {
    const row = yield* findStored(yield* SqlClient.SqlClient, application_id)
    return row === undefined ? null : inspect(row)
  }).pipe(withoutTransforms, Effect.withSpan("inspectApplication"))
