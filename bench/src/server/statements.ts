import { PgClient } from "@effect/sql-pg"
import { layer } from "@lastro/adapters-sql"
import { asOperator, type PartnerId, PrincipalRepository, UserRepository } from "@lastro/domain"
import { Effect, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection } from "effect/sql"

/** What stands for a parameter of a statement when it is run, or the value it always has. */
type Slot = "subject" | "partner" | "offset" | { readonly always: string | number | boolean | null }

/** A statement as text, with what its parameters are in their order. */
export interface Statement {
  readonly text: string
  readonly slots: ReadonlyArray<Slot>
}

/** The statements that a page of users takes. */
export interface Statements {
  /** Looks up the user whose token it is: `subject`. */
  readonly principal: Statement
  /** Reads a page of 20, newest first, and the total: `partner` and `offset`. */
  readonly page: Statement
}

interface Recorded {
  readonly text: string
  readonly params: ReadonlyArray<unknown>
}

/** A client that runs nothing: it writes down every statement it is given and finds no rows. */
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
  throw new Error("A statement has a parameter that nobody else can be given")
}

/** The one statement that an effect runs over the repositories. */
const only = <E>(run: Effect.Effect<unknown, E, PrincipalRepository | UserRepository>) =>
  Effect.suspend(() => {
    const written: Array<Recorded> = []
    const started = Effect.suspend(() => {
      written.length = 0
      return run
    })
    // Fresh, because the bench has the same layer over a real client.
    return Effect.flatMap(Effect.provide(started, Layer.fresh(Layer.provide(layer, recording(written)))), () => {
      const [statement, ...others] = written
      return statement === undefined || others.length > 0
        ? Effect.die(new Error(`The peer can run one statement, these are ${written.length}`))
        : Effect.sync((): Statement => ({ text: statement.text, slots: statement.params.map(slotOf) }))
    })
  })

/** The SQL of our repositories as text, so that who else serves the same page asks the database the same to the letter. */
export const statements = Effect.all({
  principal: only(Effect.flatMap(PrincipalRepository, ({ find }) => find("user", subject))),
  page: only(Effect.flatMap(UserRepository, ({ list }) =>
    list(asOperator.scope(partner as PartnerId), {
      filters: {},
      sort: [{ property: "created_at", direction: "desc" }],
      page: { number: pageNumber, size: 20 }
    })))
})
