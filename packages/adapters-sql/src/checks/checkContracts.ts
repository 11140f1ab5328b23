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
  const idsOfCustomer = new Map(repeated.flatMap(({ ids }) => ids.map((id) => [id, ids] as const)))
  /** Reads the other applications of the same customer. */
  const readOthers = Effect.fnUntraced(function*({ application_id }: Application) {
    const ids = (idsOfCustomer.get(application_id) ?? []).filter((id) => id !== application_id)
    const others: Array<Application> = []
    for (const id of ids) {
      const row = yield* findStored(sql, id)
      const other = row === undefined ? undefined : Result.getOrUndefined(readStored(row))
      if (other !== undefined) others.push(other)
    }
    return others
  })
  const findings = new Map<string, { readonly count: number; readonly examples: ReadonlyArray<string> }>()
  const addFinding = (rule: string, example: string): void => {
    const { count, examples } = findings.get(rule) ?? { count: 0, examples: [] }
    findings.set(rule, { count: count + 1, examples: [...examples, example].slice(0, maxExamples) })
  }
  yield* visitStored(sql, (row) =>
    Effect.gen(function*() {
      const application = Result.getOrUndefined(readStored(row))
      if (application === undefined || !isJudged(application)) return
      const rules = brokenRules(application, yield* readOthers(application), operator)
      for (const rule of rules) addFinding(rule, application.application_id)
    }))
  return Array.from(findings, ([rule, finding]): Finding => ({
    invariant: `A contract keeps the rule ${rule} on the day of its acceptance`,
    ...finding
  }))
})
