import { LenderSettings } from "@lastro/domain/lender"
import { type Application, brokenRules, isJudged } from "@lastro/domain/loan"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { type Finding, maxExamples } from "./Finding.ts"
import { findStored, readStored, visitStored } from "./storedApplications.ts"

/**
 * Lists the stored contracts that violated a rule on the day of their acceptance, grouped by rule. The examples are ids
 * of applications. Skips applications that cannot be read: `checkApplications` reports those.
 */
export const checkContracts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const operator = yield* LenderSettings
  const repeated = yield* sql<{ readonly ids: ReadonlyArray<string> }>`
    select array_agg(application_id::text) as ids from proposal where cpf <> '' group by root_id, cpf having count(*) > 1`
  const customers = new Map(repeated.flatMap(({ ids }) => ids.map((id) => [id, ids] as const)))
  const readOthers = Effect.fnUntraced(function*({ application_id }: Application) {
    const others: Array<Application> = []
    for (const id of customers.get(application_id) ?? []) {
      const row = id === application_id ? undefined : yield* findStored(sql, id)
      const other = row === undefined ? undefined : Result.getOrUndefined(readStored(row))
      if (other !== undefined) others.push(other)
    }
    return others
  })
  const found = new Map<string, { count: number; readonly examples: Array<string> }>()
  yield* visitStored(sql, (row) =>
    Effect.gen(function*() {
      const application = Result.getOrUndefined(readStored(row))
      if (application === undefined || !isJudged(application)) return
      for (const rule of brokenRules(application, yield* readOthers(application), operator)) {
        const finding = found.get(rule) ?? { count: 0, examples: [] }
        found.set(rule, { count: finding.count + 1, examples: finding.examples })
        if (finding.examples.length < maxExamples) finding.examples.push(application.application_id)
      }
    }))
  return Array.from(found, ([rule, finding]): Finding => ({
    invariant: `A contract keeps the rule ${rule} on the day of its acceptance`,
    ...finding
  }))
})
