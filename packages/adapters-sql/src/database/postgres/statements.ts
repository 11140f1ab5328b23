import { Context, Effect } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { type Constructor, type Statement } from "effect/sql/Statement"
import { type BoundStatement, isLean } from "./LeanClient.ts"

/** The position of a parameter while a statement is compiled. */
class Placeholder<Name> {
  readonly name: Name

  constructor(name: Name) {
    this.name = name
  }
}

/**
 * Compiles the text of a statement once. The returned function binds values. It always returns the text as the same
 * string object.
 *
 * `build` receives a placeholder for each name, and may only interpolate it into the statement. Throws if the statement
 * has any other parameter.
 */
export const compileOnce = <Name extends string>(
  names: ReadonlyArray<Name>,
  build: (placeholders: Readonly<Record<Name, unknown>>) => Statement<object>
): (values: Readonly<Record<Name, unknown>>) => BoundStatement => {
  const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Record<
    Name,
    Placeholder<Name>
  >
  const [text, parameters] = build(placeholders).compile()
  const order = parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return (parameter as Placeholder<Name>).name
    throw new Error("A precompiled statement has a parameter that is not one of its placeholders")
  })
  return (values) => ({ text, parameters: order.map((name) => values[name]) })
}

export const runCompiled = <Row extends object>(
  sql: Constructor,
  statement: BoundStatement
): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
  isLean(sql) ? sql.runBound<Row>(statement) : sql.unsafe<Row>(statement.text, statement.parameters)

/** Runs a statement whose text is used once or rarely. */
export const runUnprepared = <Row extends object>(
  sql: Constructor,
  statement: Statement<Row>
): Effect.Effect<ReadonlyArray<Row>, SqlError> => {
  if (!isLean(sql)) return statement.unprepared
  const [text, parameters] = statement.compile()
  return sql.runBound<Row>({ text, parameters }, false)
}

/**
 * Compiles the text of a statement once, so each execution only binds its parameters. For statements on a hot path. The
 * driver looks up prepared statements by their text, which is fastest with the same string object. For `build`, see
 * {@link compileOnce}.
 */
export const precompileStatement = <Row extends object, Name extends string>(
  sql: Constructor,
  names: ReadonlyArray<Name>,
  build: (placeholders: Readonly<Record<Name, unknown>>) => Statement<Row>
): (values: Readonly<Record<Name, unknown>>) => Effect.Effect<ReadonlyArray<Row>, SqlError> => {
  const compile = compileOnce(names, build)
  return (values) => runCompiled(sql, compile(values))
}

/**
 * True for statements that are sent without waiting for their responses. Has an effect only in a transaction on a
 * PostgreSQL server.
 */
export const IsSentAhead: Context.Reference<boolean> = Context.Reference<boolean>(
  "@lastro/adapters-sql/database/postgres/sendAhead/IsSentAhead",
  { defaultValue: () => false }
)

/**
 * Sends a statement of a transaction without waiting for its response, so it shares a round trip with the next
 * statement. For statements that return nothing. If it fails, the next statement or the commit fails, so the
 * transaction never commits without it.
 */
export const sendAhead = <A, E, R>(statement: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> =>
  Effect.asVoid(Effect.provideService(statement, IsSentAhead, true))
