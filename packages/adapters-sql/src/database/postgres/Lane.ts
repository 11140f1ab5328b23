import { Cause, Effect, Exit, Option } from "effect"
import { type SqlConnection, type SqlError } from "effect/sql"
import { type Constructor, type Fragment, fragment, literal, type Statement } from "effect/sql/Statement"
import { type BoundStatement } from "./LeanClient.ts"
import { compileOnce, runCompiled } from "./statements.ts"

/** Maximum number of departures in the lane at the same time. */
const maxDepartures = 2

/** Maximum number of reads of a shape in a departure. */
const maxReads = 64

/** Time in milliseconds after which a departure leaves the lane, and its shapes count as slow. */
const slowAfter = 20

/** Time in milliseconds for which a shape counts as slow. */
const slowFor = 1_000

/** A statement that runs any number of reads. Each parameter is an array that has an element for each read. */
interface ReadShape {
  readonly text: string
  readonly names: ReadonlyArray<string>
}

/** A read of bounded cost: a statement that shares an execution with other reads of its shape. */
interface BoundRead extends BoundStatement {
  readonly shape: ReadShape
  /** The value of each name, as an element of an array literal of PostgreSQL. */
  readonly elements: ReadonlyArray<string>
}

/** Returns whether a statement is a read for the lane. */
export const isRead = (statement: BoundStatement): statement is BoundRead => "shape" in statement

type Values<Name extends string> = Readonly<Record<Name, string | number | null>>

const toElement = (value: string | number | null): string => {
  if (value === null) return "NULL"
  const text = String(value)
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, "\\$&") : text}"`
}

/**
 * Compiles a read of bounded cost, such as one by key. `types` has the PostgreSQL type of each value. For `build`, see
 * `compileOnce`.
 *
 * PostgreSQL assumes 10 rows for an array of unknown length, for which it would scan whole tables. It assumes a tenth
 * of them for an unknown limit. With this limit, it therefore makes the plan of a single read, and keeps it.
 */
export const compileRead = <Name extends string>(
  types: Readonly<Record<Name, "uuid" | "text" | "int">>,
  build: (placeholders: Readonly<Record<Name, unknown>>) => Statement<object>
): (values: Values<Name>) => BoundRead => {
  const names = Object.keys(types) as unknown as ReadonlyArray<Name>
  const compile = compileOnce(names, build)
  const columns = Object.fromEntries(names.map((name) => [name, fragment([literal(`input."${name}"`)])]))
  const [one] = build(columns as Readonly<Record<Name, Fragment>>).compile()
  const arrays = names.map((name, index) => `, unnest($${index + 2}::${types[name]}[])`).join("")
  const text = `select one.*, input."~read" from (
      select unnest($1::int[])${arrays} limit cardinality($1::int[])
    ) input ("~read"${names.map((name) => `, "${name}"`).join("")}), lateral (${one}) one`
  const shape: ReadShape = { text, names }
  return (values) => ({ ...compile(values), shape, elements: names.map((name) => toElement(values[name])) })
}

/** Compiles a read of bounded cost once, so that each execution only binds its values. See {@link compileRead}. */
export const precompileRead = <Row extends object, Name extends string>(
  sql: Constructor,
  types: Readonly<Record<Name, "uuid" | "text" | "int">>,
  build: (placeholders: Readonly<Record<Name, unknown>>) => Statement<Row>
): (values: Values<Name>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => {
  const compile = compileRead(types, build)
  return (values) => runCompiled(sql, compile(values))
}

type Rows = ReadonlyArray<object>
type RowsExit = Exit.Exit<Rows, SqlError.SqlError>
/** The result of a batch: the rows of each of its reads. */
type BatchExit = Exit.Exit<ReadonlyArray<Rows>, SqlError.SqlError>
type Listener = (result: RowsExit) => void

/** A read, and the requests that wait for its rows. */
interface WaitingRead {
  readonly read: BoundRead
  readonly listeners: Set<Listener>
}

/** Reads of one shape that run in one execution. */
interface Batch {
  readonly shape: ReadShape
  readonly reads: ReadonlyArray<WaitingRead>
}

/** Runs an effect on a connection of the pool. */
type WithConnection = <A>(
  f: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>
) => Effect.Effect<A, SqlError.SqlError>

const execute = (connection: SqlConnection.Connection, text: string, parameters: ReadonlyArray<unknown>) =>
  connection.execute(text, parameters, undefined) as Effect.Effect<Rows, SqlError.SqlError>

/** Resumes the requests that wait for a read. */
const resumeAll = ({ listeners }: WaitingRead, result: RowsExit): void => {
  for (const resume of listeners) resume(result)
}

const parametersOf = ({ reads, shape }: Batch): ReadonlyArray<string> => {
  const toArray = (elementOf: (read: BoundRead, index: number) => unknown) =>
    `{${reads.map(({ read }, index) => elementOf(read, index)).join()}}`
  return [
    toArray((_, index) => index),
    ...shape.names.map((_, position) => toArray(({ elements }) => elements[position]))
  ]
}

/**
 * Runs a batch, and divides its rows among its reads. Runs a single read as a statement of its own, which costs less
 * than the statement for many.
 */
const runBatch = (connection: SqlConnection.Connection, batch: Batch) => {
  const [first] = batch.reads
  if (first !== undefined && batch.reads.length === 1) {
    const { parameters, text } = first.read
    return Effect.map(execute(connection, text, parameters), (rows): ReadonlyArray<Rows> => [rows])
  }
  return Effect.map(execute(connection, batch.shape.text, parametersOf(batch)), (rows): ReadonlyArray<Rows> => {
    const divided = batch.reads.map((): Array<object> => [])
    for (const row of rows as ReadonlyArray<{ "~read"?: number }>) {
      const { "~read": index = Number.NaN } = row
      // V8 deletes the newest property of an object fast, and faster than it makes a copy without the property.
      delete row["~read"]
      divided[index]?.push(row)
    }
    return divided
  })
}

/** Failures that would hit each read of a batch, because they do not depend on its values. */
const commonFailures: ReadonlySet<string> = new Set<SqlError.SqlErrorReason["_tag"]>([
  "ConnectionError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

const isCommon = (cause: Cause.Cause<SqlError.SqlError>): boolean =>
  Option.match(Cause.findErrorOption(cause), {
    onNone: () => true,
    onSome: ({ reason }) => commonFailures.has(reason._tag)
  })

/**
 * Coalesces reads of bounded cost. The reads that become ready in one turn of the event loop, or while the lane is
 * busy, depart together: on one connection, in one write, with one execution for each shape. Each read has its own
 * result. A read departs after it was submitted, so it sees every change that was committed before.
 *
 * A shape whose departure takes more than 20 ms departs alone for a second, and one departure at a time. Other shapes
 * do not wait for it.
 */
export class Lane {
  readonly #withConnection: WithConnection
  readonly #runFork: (effect: Effect.Effect<unknown>) => unknown
  /** The reads that wait for the next departure. Equal reads have the same key. */
  readonly #waiting = new Map<ReadShape, Map<string, WaitingRead>>()
  /** The shapes of departures that are outside of the lane. */
  readonly #outside = new Set<ReadShape>()
  /** The time until which a shape is slow. */
  readonly #slowUntil = new WeakMap<ReadShape, number>()
  /** Number of departures in the lane. */
  #departures = 0
  #isScheduled = false

  constructor(withConnection: WithConnection, runFork: (effect: Effect.Effect<unknown>) => unknown) {
    this.#withConnection = withConnection
    this.#runFork = runFork
  }

  /** Runs a read. If the fiber is interrupted, only its interest in the rows ends. */
  run(read: BoundRead): Effect.Effect<Rows, SqlError.SqlError> {
    return Effect.callback((resume) => {
      const leave = this.#listen(read, resume)
      return Effect.sync(leave)
    })
  }

  /** Runs a read of at most one row, and an effect at the same time. Takes less processor time than a fiber for each. */
  runWith<Row extends object, A, E, R>(
    read: BoundRead,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<readonly [row: Row | null, result: A], E | SqlError.SqlError, R> {
    let rows: RowsExit | undefined
    let listener: Listener = (exit) => {
      rows = exit
    }
    const leave = this.#listen(read, (exit) => listener(exit))
    const later = Effect.callback<Rows, SqlError.SqlError>((resume) => {
      if (rows === undefined) listener = resume
      else resume(rows)
    })
    return Effect.onExitPrimitive(
      Effect.flatMap(
        effect,
        (result) => Effect.mapEager(rows ?? later, ([row]) => [(row as Row | undefined) ?? null, result] as const)
      ),
      () => {
        leave()
        return undefined
      }
    )
  }

  /** Calls a listener with the rows of a read. Returns a function that prevents the call. */
  #listen(read: BoundRead, listener: Listener): () => void {
    const { listeners } = this.#enter(read)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  #enter(read: BoundRead): WaitingRead {
    const reads = this.#waiting.get(read.shape) ?? new Map<string, WaitingRead>()
    this.#waiting.set(read.shape, reads)
    // Elements are quoted, so different reads have different keys.
    const key = read.elements.join()
    const waiting = reads.get(key) ?? { read, listeners: new Set() }
    reads.set(key, waiting)
    if (!this.#isScheduled) {
      this.#isScheduled = true
      setImmediate(() => {
        this.#isScheduled = false
        this.#depart()
      })
    }
    return waiting
  }

  /** Removes the oldest reads of a shape from those that wait. */
  #take(shape: ReadShape, waiting: Map<string, WaitingRead>): Batch {
    const reads: Array<WaitingRead> = []
    for (const [key, read] of waiting) {
      if (reads.length === maxReads) break
      waiting.delete(key)
      if (read.listeners.size > 0) reads.push(read)
    }
    if (waiting.size === 0) this.#waiting.delete(shape)
    return { shape, reads }
  }

  #depart(): void {
    const now = performance.now()
    const together: Array<Batch> = []
    for (const [shape, waiting] of this.#waiting) {
      const isSlow = now < (this.#slowUntil.get(shape) ?? 0)
      if (this.#outside.has(shape) || !isSlow && this.#departures >= maxDepartures) continue
      const batch = this.#take(shape, waiting)
      if (batch.reads.length === 0) continue
      if (isSlow) this.#start([batch], true)
      else together.push(batch)
    }
    if (together.length > 0) this.#start(together, false)
  }

  /** Starts a departure, in the lane or outside of it. */
  #start(batches: ReadonlyArray<Batch>, isAlone: boolean): void {
    // PostgreSQL runs the statements of a connection in order, so the first one without a result is the slow one.
    const pending = new Set(batches)
    const results = new Map<Batch, BatchExit>()
    let outside: ReadShape | undefined
    const goOutside = ({ shape }: Batch) => {
      outside = shape
      this.#outside.add(shape)
    }
    const deliver = () => {
      for (const [{ reads }, result] of results) this.#deliver(reads, result)
      results.clear()
    }
    const onSlow = () => {
      const [slow] = pending
      if (slow === undefined) return
      this.#slowUntil.set(slow.shape, performance.now() + slowFor)
      if (outside !== undefined) return
      goOutside(slow)
      this.#departures--
      this.#depart()
      deliver()
    }
    const onResult = (batch: Batch, result: BatchExit) => {
      pending.delete(batch)
      results.set(batch, result)
      if (outside !== undefined) deliver()
    }
    const running = this.#withConnection((connection) =>
      Effect.forEach(
        batches,
        (batch) => Effect.map(Effect.exit(runBatch(connection, batch)), (result) => onResult(batch, result)),
        { concurrency: "unbounded", discard: true }
      )
    )
    if (isAlone) batches.forEach(goOutside)
    else this.#departures++
    // After a pause of this process, results may have arrived but not been read yet.
    const timer = setTimeout(() => setImmediate(onSlow), slowAfter)
    this.#runFork(Effect.map(Effect.exit(running), (exit) => {
      clearTimeout(timer)
      if (Exit.isFailure(exit)) { for (const batch of pending) results.set(batch, Exit.failCause(exit.cause)) }
      pending.clear()
      if (outside === undefined) this.#departures--
      else this.#outside.delete(outside)
      // The next departure leaves first: PostgreSQL runs it while this process uses the results.
      this.#depart()
      deliver()
    }))
  }

  #deliver(reads: ReadonlyArray<WaitingRead>, result: BatchExit): void {
    if (Exit.isSuccess(result)) {
      reads.forEach((read, index) => resumeAll(read, Exit.succeed(result.value[index] ?? [])))
    } else if (reads.length === 1 || isCommon(result.cause)) {
      for (const read of reads) resumeAll(read, result)
    } else {
      for (const read of reads) this.#runAlone(read)
    }
  }

  /** Runs a read as a statement of its own, because its batch failed. */
  #runAlone(waiting: WaitingRead): void {
    const { parameters, text } = waiting.read
    this.#runFork(Effect.map(
      Effect.exit(this.#withConnection((connection) => execute(connection, text, parameters))),
      (result) => resumeAll(waiting, result)
    ))
  }
}
