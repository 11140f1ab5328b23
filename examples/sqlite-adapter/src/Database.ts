import { Context, Effect, Exit, Layer, Semaphore } from "effect"
import { DatabaseSync } from "node:sqlite"
import { schema } from "./schema.ts"

/** A nesting level of transactions. Depth 0 is outside any transaction. Each level runs one task at a time. */
class Level {
  readonly turn = Semaphore.makeUnsafe(1)
  readonly database: DatabaseSync
  readonly depth: number
  constructor(database: DatabaseSync, depth: number) {
    this.database = database
    this.depth = depth
  }
}

/** The innermost transaction of the current fiber. */
const Innermost = Context.Reference<Level | null>("sqlite-adapter/Database/Innermost", { defaultValue: () => null })

const begin = (depth: number): string => depth === 0 ? "begin immediate" : `savepoint unit_${depth}`
const commit = (depth: number): string => depth === 0 ? "commit" : `release unit_${depth}`
const rollback = (depth: number): string =>
  depth === 0 ? "rollback" : `rollback to unit_${depth}; release unit_${depth}`

/**
 * One connection to SQLite. Transactions run one at a time. A statement outside a transaction waits until the current
 * transaction has ended, so it never reads uncommitted data.
 */
export class Database extends Context.Service<Database, {
  /** Runs statements without interruption. */
  readonly run: <A>(statements: (database: DatabaseSync) => A) => Effect.Effect<A>
  /** Runs an effect in a transaction. Commits if the effect succeeds, and otherwise rolls back. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** True in a transaction. */
  readonly isOpen: Effect.Effect<boolean>
}>()("sqlite-adapter/Database") {}

const make = (file: string) =>
  Effect.gen(function*() {
    const database = yield* Effect.acquireRelease(
      Effect.sync(() => new DatabaseSync(file)),
      (opened) => Effect.sync(() => opened.close())
    )
    database.exec(schema)

    const outside = new Level(database, 0)
    const current = Effect.map(Innermost, (level) => level?.database === database ? level : outside)
    const exec = (sql: string) => Effect.sync(() => database.exec(sql))

    return Database.of({
      run: (statements) =>
        Effect.flatMap(current, ({ turn }) => turn.withPermits(1)(Effect.sync(() => statements(database)))),
      atomically: (effect) =>
        Effect.flatMap(current, ({ depth, turn }) => {
          const inTransaction = Effect.acquireUseRelease(
            exec(begin(depth)),
            () => Effect.provideService(effect, Innermost, new Level(database, depth + 1)),
            (_, exit) => exec(Exit.isSuccess(exit) ? commit(depth) : rollback(depth))
          )
          return turn.withPermits(1)(inTransaction)
        }),
      isOpen: Effect.map(current, ({ depth }) => depth > 0)
    })
  })

/** Opens the database in a file, or in memory with `":memory:"`. */
export const layerDatabase = (file: string): Layer.Layer<Database> => Layer.effect(Database, make(file))
