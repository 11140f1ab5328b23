import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"

/** Runs one statement as the superuser of the PostgreSQL of this test run. */
export const administer = (statement: string): Effect.Effect<void> =>
  Effect.scoped(
    Effect.flatMap(
      PgClient.make({ url: Redacted.make(inject("databaseUrl")), maxConnections: 1 }),
      (sql) => sql.unsafe(statement)
    )
  ).pipe(Effect.provide(Reactivity.layer), Effect.orDie, Effect.asVoid)

/** Creates an empty PostgreSQL database and returns its URL. Drops it and its connections when the scope closes. */
export const freshDatabase: Effect.Effect<string, never, Scope.Scope> = Effect.suspend(() => {
  const name = `t_${randomBytes(8).toString("hex")}`
  const url = new URL(inject("databaseUrl"))
  url.pathname = `/${name}`
  return Effect.acquireRelease(
    Effect.as(administer(`create database ${name} template template0`), url.href),
    () => administer(`drop database ${name} with (force)`)
  )
})
