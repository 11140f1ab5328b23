import { type Effect } from "effect"
import { type SqlError } from "effect/sql"
import { type Constructor, type Fragment, fragment, literal, type Statement } from "effect/sql/Statement"
import { type BoundStatement } from "./LeanClient.ts"
import { compileOnce, runCompiled } from "./statements.ts"

/**
 * A statement that runs many reads in one execution. The reads differ only in their values. Each parameter of the
 * statement is an array with one element per read.
 */
export interface ReadShape {
  readonly text: string
  readonly names: ReadonlyArray<string>
}

/** A read of bounded cost. It can share an execution with other reads of the same shape. */
export interface BoundRead extends BoundStatement {
  readonly shape: ReadShape
  /** The parameters of this read, each as an element of a PostgreSQL array literal. */
  readonly elements: ReadonlyArray<string>
}

/** Returns whether a statement is a read that the lane can run. */
export const isRead = (statement: BoundStatement): statement is BoundRead => "shape" in statement

type Values<Name extends string> = Readonly<Record<Name, string | number | null>>

const toElement = (value: string | number | null): string => {
  if (value === null) return "NULL"
  const text = String(value)
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, "\\$&") : text}"`
}

/**
 * Compiles a read of bounded cost, such as a read by key. `types` has the PostgreSQL type of each value. For `build`,
 * see `compileOnce`.
 *
 * The statement has a limit only for the planner. PostgreSQL estimates 10 rows for an array of unknown length, and
 * would then scan whole tables. With a limit of unknown size, it estimates a tenth of that: one row. So it plans many
 * reads like a single one, and keeps this plan.
 */
export const compileRead = <Name extends string>(
  types: Readonly<Record<Name, "uuid" | "text" | "int">>,
  build: (placeholders: Readonly<Record<Name, unknown>>) => Statement<object>
): (values: Values<Name>) => BoundRead => {
  const names = Object.keys(types) as unknown as ReadonlyArray<Name>
  const compile = compileOnce(names, build)
  const columns = Object.fromEntries(names.map((name) => [name, fragment([literal(`input."${name}"`)])]))
  const [read] = build(columns as Readonly<Record<Name, Fragment>>).compile()
  const arrays = names.map((name, index) => `, unnest($${index + 2}::${types[name]}[])`).join("")
  const text = `select one.*, input."~read" from (
      select unnest($1::int[])${arrays} limit cardinality($1::int[])
    ) input ("~read"${names.map((name) => `, "${name}"`).join("")}), lateral (${read}) one`
  const shape: ReadShape = { text, names }
  return (values) => ({ ...compile(values), shape, elements: names.map((name) => toElement(values[name])) })
}

/** Compiles a read of bounded cost once. Each execution then only binds its values. See {@link compileRead}. */
export const precompileRead = <Row extends object, Name extends string>(
  sql: Constructor,
  types: Readonly<Record<Name, "uuid" | "text" | "int">>,
  build: (placeholders: Readonly<Record<Name, unknown>>) => Statement<Row>
): (values: Values<Name>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => {
  const compile = compileRead(types, build)
  return (values) => runCompiled(sql, compile(values))
}
