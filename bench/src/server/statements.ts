import { PgClient } from "@effect/sql-pg"
import { layer } from "@lastro/adapters-sql"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerId } from "@lastro/domain/id"
import { PrincipalRepository } from "@lastro/domain/identity"
import { UserRepository } from "@lastro/domain/user"
import { Effect, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection } from "effect/sql"

/** A parameter of a statement: the name of a placeholder, or a constant value. */
type Slot = "subject" | "partner" | "offset" | { readonly always: string | number | boolean | null }

/** The text of a statement and its parameters in order. */
export interface Statement {
  readonly text: string
  readonly slots: ReadonlyArray<Slot>
}

/** The statements that a server runs to return a page of users. */
export interface Statements {
  /** Loads the user of a token. Parameter: `subject`. */
  readonly principal: Statement
  /** Reads a page of 20 users, newest first, and the total. Parameters: `partner` and `offset`. */
  readonly page: Statement
}

interface Recorded {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
}

/** Returns a client that records statements instead of running them. Every statement returns no rows. */
const recording = (written: Array<Recorded>) => {
  const record = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.sync(() => {
      written.push({ text, params })
      return []
    })
  const connection: SqlConnection.Connection = {
    execute: record,
    executeRaw: record,
    executeStream: () => Stream.empty,
    executeValues: record,
    executeValuesUnprepared: record,
    executeUnprepared: record
  }
  return Layer.effect(
    SqlClient.SqlClient,
    SqlClient.make({
      acquirer: Effect.succeed(connection),
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: []
    })
  ).pipe(Layer.provide(Reactivity.layer))
}

const subject = "01900000-0000-7000-8000-00000000aaaa"
const partner = "01900000-0000-7000-8000-00000000bbbb"
const pageNumber = 4_321
const offset = pageNumber * 20

const slotOf = (value: unknown): Slot => {
  if (value === subject) return "subject"
  if (value === partner) return "partner"
  if (typeof value === "bigint" || typeof value === "number") {
    return Number(value) === offset ? "offset" : { always: Number(value) }
  }
  if (typeof value === "string" || typeof value === "boolean" || value === null) return { always: value }
  throw new Error("A statement has a parameter that the Fastify server cannot provide")
}

/** Returns the only statement that an effect runs through the repositories. Dies if it runs several. */
const only = <E>(run: Effect.Effect<unknown, E, PrincipalRepository | UserRepository>) =>
  Effect.suspend(() => {
    const written: Array<Recorded> = []
    const started = Effect.suspend(() => {
      written.length = 0
      return run
    })
    // Build the layer fresh, because the benchmark also builds it over a real client.
    return Effect.flatMap(Effect.provide(started, Layer.fresh(Layer.provide(layer, recording(written)))), () => {
      const [statement, ...others] = written
      return statement === undefined || others.length > 0
        ? Effect.die(new Error(`The Fastify server can run one statement, but the repositories run ${written.length}`))
        : Effect.sync((): Statement => ({ text: statement.text, slots: statement.params.map(slotOf) }))
    })
  })

/** The SQL of the repositories as text, so that Fastify runs the same statements. */
export const statements = Effect.all({
  principal: only(Effect.flatMap(PrincipalRepository, ({ find }) => find("user", subject))),
  page: only(Effect.flatMap(UserRepository, ({ list }) =>
    list(asOperator.scope(partner as PartnerId), {
      filters: {},
      sort: [{ property: "created_at", direction: "desc" }],
      page: { number: pageNumber, size: 20 }
    })))
})
