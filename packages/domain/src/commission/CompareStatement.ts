import { Effect, Option, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { PersonalDataHasher } from "../audit/PersonalDataHasher.ts"
import { recordChange } from "../event/recordChange.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { parseFilters } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { parseExactFilter } from "../values/exactFilter.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { CommissionStatements, type StatementKey } from "./CommissionStatements.ts"
import { parseStatement, type StatementLine } from "./parseStatement.ts"
import { daysOfPeriod, parsePeriodFilter } from "./period.ts"
import { compareStatement, type StatementComparison } from "./Statement.ts"

const parseQuery = parseFilters({ filters: { period: parsePeriodFilter, lender: parseExactFilter }, groups: {} })

/**
 * Parses the lender and the period of a statement. Both are required. Other parameters are ignored, as in every write.
 */
const parseTarget = ({ lender, period }: RawQuery) =>
  Result.flatMap(parseQuery({ lender, period }), ({ lender, period }) => {
    if (lender !== undefined && period !== undefined) return Result.succeed({ lender, period })
    const missing = Object.entries({ period, lender }).filter(([, value]) => value === undefined)
    const problems = missing.map(([name]) => fieldProblem(`query.${name}`, problem("REQUIRED")))
    return Result.fail(new ValidationFailed({ problems }))
  })

/** Maximum number of payments and reversals with which a statement is compared. */
const maxContracts = 200_000

/**
 * A statement of a lender is compared with the ledger of the caller's tree. The same file for the same lender and
 * period returns its first result, even if the ledger has changed since. The file and the query are untrusted. The
 * audit entry has no amounts.
 * @rule COMM-25
 */
export const compareCommissionStatement = Effect.fnUntraced(function*(
  allowed: Allowed<"statements:write">,
  file: unknown,
  query: RawQuery,
  sent?: SentKey
) {
  const { root_id } = allowed.caller
  const compareOnce = Effect.gen(function*() {
    const tree = yield* PartnerTree
    const compare = Effect.fnUntraced(function*() {
      const { lines, target: { lender, period } } = yield* Effect.fromResult(
        combineChecks({ target: parseTarget(query), lines: parseStatement(file) })
      )
      const digest = yield* (yield* PersonalDataHasher).hash(String(file))
      const key: StatementKey = { root_id, lender, period, digest }
      const stored = yield* (yield* CommissionStatements).find(key)
      return Option.isSome(stored) ? stored.value : yield* compareNew(allowed.caller, key, lines)
    })
    return yield* runOnce<StatementComparison, never, void, never, never>(allowed, sent, {
      present: () => tree.find(scopeOf(allowed), root_id),
      owner: () => root_id,
      record: () => root_id
    }, Effect.void)(compare)
  })
  return yield* (yield* UnitOfWork).atomically(compareOnce)
})

/** Compares a file that was not compared before, and stores the result. */
const compareNew = Effect.fnUntraced(function*(
  caller: Caller,
  key: StatementKey,
  lines: ReadonlyArray<StatementLine>
) {
  const { lender, period, root_id } = key
  const statements = yield* CommissionStatements
  const references = Array.from(new Set(lines.map(({ reference }) => reference)))
  const contracts = yield* statements.contracts(
    { root_id, lender, references, ...daysOfPeriod(period) },
    maxContracts + 1
  )
  if (contracts.length > maxContracts) {
    const tooLong = fieldProblem("query.period", problem("TOO_LONG", { max_items: maxContracts }))
    return yield* new ValidationFailed({ problems: [tooLong] })
  }
  const compared_at = yield* currentTimestamp
  const { differences, matched, unlisted } = compareStatement(lines, contracts)
  yield* recordChange({
    events: [],
    at: compared_at,
    caller,
    action: "commission_statement.compare",
    subject_id: root_id,
    partner_id: root_id,
    after: { lender, period, lines: lines.length, matched, differences: differences.length + unlisted }
  })
  return yield* statements.store(key, { matched, differences, unlisted, compared_at })
})
