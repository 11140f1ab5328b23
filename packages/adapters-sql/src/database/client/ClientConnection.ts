import {
  ClientRefused,
  type ClientRows,
  type ClientStatement,
  type DatabaseClient,
  isRollbackToSavepoint
} from "@lastro/domain/ports"
import { Context, Effect, Exit, Stream } from "effect"
import { type SqlConnection, type SqlError } from "effect/sql"
import { castParameters } from "./castParameters.ts"
import {
  changesFor,
  type ClientSettings,
  refusalOf,
  selectSettings,
  setSettings,
  type SettingChange
} from "./ClientSettings.ts"
import { decoderOf } from "./columnTypes.ts"
import { DiskSpace } from "./DiskSpace.ts"
import { stateOf, toSqlError } from "./sqlErrors.ts"

type Rows = ReadonlyArray<object>
type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
type Answer = Effect.Effect<ClientRows, SqlError.SqlError>

/**
 * Returns the settings of Lastro's own connections. Reads them from the database at the first call, or if `isRepeated`
 * is true. Other calls return the stored values.
 */
type ReadOwn = (isRepeated: boolean) => Effect.Effect<ClientSettings, SqlError.SqlError>

/**
 * The client of the host on which the next transaction runs. Undefined: the transaction uses a connection of the pool.
 */
export const CurrentClient = Context.Reference<ClientConnection | undefined>(
  "@lastro/adapters-sql/database/client/ClientConnection/CurrentClient",
  { defaultValue: () => undefined }
)

const refusals: ReadonlyMap<string | undefined, string> = new Map([
  ["25P01", "The client is not in a transaction. Send BEGIN on this client, and call Lastro before COMMIT."],
  ["25P02", "The transaction of the client has failed. Send ROLLBACK, and repeat the transaction."]
])

const dieSilent = Effect.die(
  new ClientRefused(
    "The client did not respond in time, and the writes of the call are rolled back. Send ROLLBACK, and close the client."
  )
)

const notOfPg = "Pass a Client or PoolClient of `pg` itself."

/**
 * Turns a TypeError of the client into the defect `ClientRefused`. Only a client that is not from `pg` throws a
 * TypeError; a lost connection causes another error.
 */
const refuseTypeError = (error: SqlError.SqlError): Effect.Effect<never, SqlError.SqlError> =>
  error.reason.cause instanceof TypeError
    ? Effect.die(new ClientRefused(`The client cannot run a statement: ${error.reason.cause.message}. ${notOfPg}`))
    : Effect.fail(error)

/**
 * A connection on the client of the host, inside the transaction of the host. `BEGIN`, `COMMIT` and `ROLLBACK` become
 * the start, release and rollback of a savepoint. The settings that Lastro requires are set after the savepoint starts,
 * and restored before its release.
 */
export class ClientConnection implements SqlConnection.Connection {
  readonly #client: DatabaseClient
  readonly #readOwn: ReadOwn
  readonly #timeout: number
  readonly #diskSpace: DiskSpace
  #begun: string | undefined
  #wanted: SettingChange = []
  #restore: SettingChange = []
  /** True after a statement got no response. From then on, only the rollback is sent. */
  isSilent = false

  /** `timeout`: the maximum wait for a response, in milliseconds. */
  constructor(client: DatabaseClient, readOwn: ReadOwn, timeout: number, diskSpace = new DiskSpace()) {
    this.#client = client
    this.#readOwn = readOwn
    this.#timeout = timeout
    this.#diskSpace = diskSpace
  }

  /**
   * Sends the rollback to the savepoint without waiting for the response. The client sends statements in order. So the
   * rollback undoes the statement that got no response, before the host can commit it.
   */
  #abandon(): void {
    this.isSilent = true
    for (const text of ["ROLLBACK TO SAVEPOINT lastro", "RELEASE SAVEPOINT lastro"]) {
      this.#client.query({ text, values: [] }).catch(() => undefined)
    }
  }

  /** Sends a statement. Fails if there is no response within the timeout. */
  #sendStatement(statement: ClientStatement): Answer {
    return Effect.suspend(() => {
      if (this.isSilent) return dieSilent
      const sent = Effect.tryPromise({
        try: () => this.#client.query(statement),
        catch: (cause) => this.#diskSpace.note(toSqlError(cause))
      })
      return Effect.timeoutOrElse(sent, {
        duration: this.#timeout,
        orElse: () => {
          this.#abandon()
          return dieSilent
        }
      })
    })
  }

  #send(text: string, parameters: ReadonlyArray<unknown>): Answer {
    return Effect.suspend(() => {
      let isDecoded = false
      const types = {
        getTypeParser: (oid: number) => {
          isDecoded = true
          return decoderOf(oid)
        }
      }
      return Effect.flatMap(
        Effect.catch(this.#sendStatement({ text, values: [...parameters], types }), refuseTypeError),
        (answer) =>
          isDecoded || Object.keys(Object(answer.rows[0])).length === 0
            ? Effect.succeed(answer)
            : Effect.die(new ClientRefused(`The client ignores \`types\`. ${notOfPg}`))
      )
    })
  }

  readonly #begin: Effect.Effect<void, SqlError.SqlError> = Effect.gen({ self: this }, function*() {
    yield* Effect.catch(this.#send("SAVEPOINT lastro", []), (error) => {
      const refusal = refusals.get(stateOf(error.reason.cause))
      return refusal === undefined ? Effect.fail(error) : Effect.die(new ClientRefused(refusal))
    })
    const { rows } = yield* this.#send(selectSettings, [])
    const present = rows[0] as ClientSettings
    const judge = (ofLastro: ClientSettings) => refusalOf(present, ofLastro, this.#begun)
    let ofLastro = yield* this.#readOwn(false)
    if (judge(ofLastro) !== null) ofLastro = yield* this.#readOwn(true)
    const refusal = judge(ofLastro)
    if (refusal !== null) return yield* Effect.andThen(this.#send("RELEASE SAVEPOINT lastro", []), Effect.die(refusal))
    this.#begun = present.begun
    const { change, restore, wanted } = changesFor(present, ofLastro.schemas)
    this.#wanted = wanted
    this.#restore = restore
    yield* this.#set(change)
  })

  #set(change: SettingChange): Effect.Effect<void, SqlError.SqlError> {
    if (change.length === 0) return Effect.void
    const { text, values } = setSettings(change)
    return Effect.asVoid(this.#send(text, values))
  }

  /**
   * Runs a statement of the host inside a transaction of Lastro, with the settings and the parsers of the host. The
   * statement may change settings, so afterwards all settings of Lastro are set again.
   */
  runForHost(text: string, values: ReadonlyArray<unknown>): Answer {
    return Effect.suspend(() =>
      withHostSettings(this.#sendStatement({ text, values: [...values], queryMode: "extended" }), {
        enter: isRollbackToSavepoint(text) ? Effect.void : this.#set(this.#restore),
        leave: this.#set(this.#wanted)
      })
    )
  }

  /** Releases the savepoint and keeps its writes. They are stored when the host commits. */
  readonly commit: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.andThen(this.#set(this.#restore), this.#send("RELEASE SAVEPOINT lastro", []))
  )

  /** Rolls back to the savepoint. PostgreSQL restores the settings, too. */
  readonly #rollback: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.andThen(this.#send("ROLLBACK TO SAVEPOINT lastro", []), this.#send("RELEASE SAVEPOINT lastro", []))
  )

  #query(sql: string, params: ReadonlyArray<unknown>): Answer {
    return Effect.suspend(() => {
      const { parameters, text } = castParameters(sql, params)
      return this.#send(text, parameters)
    })
  }

  execute(sql: string, params: ReadonlyArray<unknown>, transform: Transform): Effect.Effect<Rows, SqlError.SqlError> {
    if (sql === "BEGIN") return Effect.as(this.#begin, [])
    if (sql === "ROLLBACK") return Effect.as(this.#rollback, [])
    return Effect.map(this.#query(sql, params), (answer) => {
      const rows = answer.rows as Rows
      return transform === undefined ? rows : transform(rows)
    })
  }

  executeUnprepared(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return this.execute(sql, params, transform)
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>): Answer {
    return this.#query(sql, params)
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return Effect.map(
      this.execute(sql, params, undefined),
      (rows) => rows.map((row): ReadonlyArray<unknown> => Object.values(row))
    )
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.executeValues(sql, params)
  }

  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Stream.fromIterableEffect(this.execute(sql, params, transform))
  }
}

/**
 * Runs a statement of the host (the service that embeds Lastro) with the host's own settings: `enter`, then the
 * statement, then `leave`. `leave` runs after a failure, too. If the database rejected the statement, `leave` also
 * fails, and this second failure is ignored: the rollback restores the settings.
 */
export const withHostSettings = <A, E, R, E2, R2>(
  statement: Effect.Effect<A, E, R>,
  settings: { readonly enter: Effect.Effect<unknown, E2, R2>; readonly leave: Effect.Effect<unknown, E2, R2> }
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.andThen(
    settings.enter,
    Effect.onExit(
      statement,
      (exit): Effect.Effect<unknown, E2, R2> => Exit.isSuccess(exit) ? settings.leave : Effect.ignore(settings.leave)
    )
  )
