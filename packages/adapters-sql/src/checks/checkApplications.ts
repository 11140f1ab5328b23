import { type Application } from "@lastro/domain/loan"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { applicationInvariants, readableApplication } from "./applicationInvariants.ts"
import { type Finding, maxExamples } from "./Finding.ts"
import { readStored, type StoredApplication, visitStored } from "./storedApplications.ts"

/** Returns the invariants that an application violates. If its facts cannot be read, returns only that violation. */
export const violationsOf = (row: StoredApplication): ReadonlyArray<string> => {
  const judge = (application: Application) =>
    Result.try(() =>
      applicationInvariants.filter(([, holds]) => !holds(application, row)).map(([invariant]) => invariant)
    )
  return Result.getOrElse(Result.flatMap(readStored(row), judge), () => [readableApplication])
}

/**
 * Checks every application. Returns a finding for each violated invariant. Stored data never makes this effect fail,
 * however damaged it is.
 */
export const checkApplications = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const invariants = [readableApplication, ...applicationInvariants.map(([invariant]) => invariant)]
  const found = new Map(invariants.map((invariant) => [invariant, { count: 0, examples: new Array<string>() }]))
  yield* visitStored(sql, (row) =>
    Effect.sync(() => {
      for (const invariant of violationsOf(row)) {
        const finding = found.get(invariant)
        if (finding === undefined) continue
        finding.count++
        if (finding.examples.length < maxExamples) finding.examples.push(row.application_id)
      }
    }))
  return Array.from(found, ([invariant, finding]): Finding => ({ invariant, ...finding })).filter(({ count }) =>
    count > 0
  )
})
