import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { compareBy } from "../input/compareBy.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { firstValue, type RawQuery, unknownParameters } from "../input/RawQuery.ts"
import { parseText } from "../input/Text.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type Application } from "../loan/Application.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { externalIdBounds } from "./ApplicationRequests.ts"
import { bothForms } from "./erasedExternalId.ts"
import { fgtsApplication, type FgtsApplicationList } from "./FgtsApplication.ts"

/** Maximum number of applications in the response to a search. */
export const maxSearchResults = 100

/**
 * The parameter `external_id` is required, and finds the applications with exactly this external id, and the erased
 * ones that had it.
 * @rule FGTS-25
 */
export const parseExternalId = (query: RawQuery): Result.Result<string, ValidationFailed> => {
  const raw = firstValue(query["external_id"]) ?? ""
  const read = raw === "" ? Result.fail(problem("REQUIRED")) : parseText(externalIdBounds)(raw)
  const problems = [
    ...Result.isFailure(read) ? [fieldProblem("query.external_id", read.failure)] : [],
    ...unknownParameters(query, (name) => name === "external_id")
  ]
  return Result.isSuccess(read) && problems.length === 0
    ? Result.succeed(read.success)
    : Result.fail(new ValidationFailed({ problems }))
}

const newestFirst = compareBy<Application, "created_at">(
  { created_at: ({ created_at }) => created_at },
  ({ application_id }) => application_id
)([{ property: "created_at", direction: "desc" }])

/**
 * Returns the newest applications in the caller's subtree that have the external id of the query. The query is
 * untrusted.
 */
export const searchApplications = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:read">,
  query: RawQuery
) {
  const external_id = yield* Effect.fromResult(parseExternalId(query))
  const { findByExternalId } = yield* ApplicationRepository
  // Reads that start together can share one statement.
  const found = yield* Effect.forEach(
    yield* bothForms(external_id),
    (form) => findByExternalId(scopeOf(allowed), form, maxSearchResults),
    { concurrency: "unbounded" }
  )
  const newest = found.flat().toSorted(newestFirst).slice(0, maxSearchResults)
  const at = yield* currentTimestamp
  const view = personalDataView(allowed.caller)
  const list: FgtsApplicationList = { data: newest.map((application) => fgtsApplication(application, at, view)) }
  return list
})
