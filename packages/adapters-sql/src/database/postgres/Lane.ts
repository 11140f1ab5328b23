import { Cause, Effect, Exit, Option } from "effect"
import { type SqlConnection, type SqlError } from "effect/sql"
import { type BoundRead, type ReadShape } from "./BoundRead.ts"

/**
 * Maximum number of departures in the lane at the same time. A departure is a group of reads that are sent together.
 */
const maxDepartures = 2

/** Maximum number of reads of one shape in a departure. */
const maxReads = 64

/** Milliseconds after which a departure leaves the lane, and its unfinished shapes count as slow. */
const slowAfter = 20

/** Milliseconds for which a shape counts as slow. */
const slowFor = 1_000

type Rows = ReadonlyArray<object>
type RowsExit = Exit.Exit<Rows, SqlError.SqlError>
/** The result of a batch: the rows of each of its reads. */
type BatchExit = Exit.Exit<ReadonlyArray<Rows>, SqlError.SqlError>
type Listener = (result: RowsExit) => void

/** A read, and the callers that wait for its rows. */
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

/** Resumes the callers that wait for a read. */
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
 * Runs a batch, and divides the rows among its reads. Runs a single read as its own statement, which costs less than
 * the statement for many reads.
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
      // V8 deletes the newest property of an object faster than it copies the object without that property.
      delete row["~read"]
      divided[index]?.push(row)
    }
    return divided
  })
}

/** Failures that would affect every read of the batch, because they do not depend on the values of a read. */
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
 * Combines reads of bounded cost. A departure contains the reads that became ready in one turn of the event loop, or
 * while the lane was busy. It runs on one connection and is sent in one write, with one execution per shape. Each read
 * gets its own result. A read departs after its submission, so it sees every change that was committed before.
 *
 * A shape whose departure took more than 20 ms counts as slow for a second. It then departs alone, in one departure at
 * a time, and the other shapes do not wait for it.
 */
export class Lane {
  readonly #withConnection: WithConnection
  readonly #runFork: (effect: Effect.Effect<unknown>) => unknown
  /** The reads that wait for the next departure, by shape and key. Equal reads have the same key. */
  readonly #waiting = new Map<ReadShape, Map<string, WaitingRead>>()
  /** The shapes whose departures currently run outside of the lane. */
  readonly #outside = new Set<ReadShape>()
  /** The time until which a shape counts as slow. */
  readonly #slowUntil = new WeakMap<ReadShape, number>()
  /** Number of departures in the lane. */
  #departures = 0
  #isScheduled = false

  constructor(withConnection: WithConnection, runFork: (effect: Effect.Effect<unknown>) => unknown) {
    this.#withConnection = withConnection
    this.#runFork = runFork
  }

  /** Runs a read. An interruption of the fiber does not cancel the read, because others may wait for it. */
  run(read: BoundRead): Effect.Effect<Rows, SqlError.SqlError> {
    return Effect.callback((resume) => {
      const leave = this.#listen(read, resume)
      return Effect.sync(leave)
    })
  }

  /**
   * Runs two effects at the same time: a read of at most one row, and `effect`. Takes less processor time than one
   * fiber for each.
   */
  runWith<Row extends object, A, E, R>(
    read: BoundRead,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<readonly [row: Row | null, result: A], E | SqlError.SqlError, R> {
    let rows: RowsExit | undefined
    // Stores the rows if they arrive before the end of `effect`. Otherwise, `later` replaces this listener.
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

  /** Calls a listener with the rows of a read. Returns a function that removes the listener. */
  #listen(read: BoundRead, listener: Listener): () => void {
    const { listeners } = this.#enter(read)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  #enter(read: BoundRead): WaitingRead {
    const reads = this.#waiting.get(read.shape) ?? new Map<string, WaitingRead>()
    this.#waiting.set(read.shape, reads)
    // Each element is quoted, so different reads never have the same joined text.
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

  /** Removes the oldest waiting reads of a shape, and returns them as a batch. */
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

  /** Starts a departure. If `isAlone` is true, it runs outside of the lane. */
  #start(batches: ReadonlyArray<Batch>, isAlone: boolean): void {
    // PostgreSQL runs the statements of a connection in order. So the first batch without a result is the slow one.
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
      // Inside the lane, the results are delivered after the next departure was sent.
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
    // After a pause of this process, results may have arrived without having been read. `setImmediate` lets them be
    // read first.
    const timer = setTimeout(() => setImmediate(onSlow), slowAfter)
    this.#runFork(Effect.map(Effect.exit(running), (exit) => {
      clearTimeout(timer)
      if (Exit.isFailure(exit)) { for (const batch of pending) results.set(batch, Exit.failCause(exit.cause)) }
      pending.clear()
      if (outside === undefined) this.#departures--
      else this.#outside.delete(outside)
      // Send the next departure first: PostgreSQL runs it while this process handles the results.
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

  /** Runs a read as its own statement, because its batch failed. */
  #runAlone(waiting: WaitingRead): void {
    const { parameters, text } = waiting.read
    this.#runFork(Effect.map(
      Effect.exit(this.#withConnection((connection) => execute(connection, text, parameters))),
      (result) => resumeAll(waiting, result)
    ))
  }
}
