import { type FailedLogin, LoginAttempts, loginWindowMs } from "@lastro/domain/identity"
import { addMillis } from "@lastro/domain/values"
import { Context, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { sha256, toTimestamp } from "../database/columnValues.ts"
import { orDie } from "../database/DatabaseFailure.ts"

/** Maximum number of failed sign-ins that a read returns for a username. */
const maxFailures = 50

/**
 * Number of failed sign-ins from the caller's own address that a read always returns, even if other addresses have many
 * newer ones.
 */
const maxOwnFailures = 5

/** Maximum number of expired rows that each insert deletes. */
const purgeBatchSize = 10

interface Row {
  readonly ip: string
  readonly at: Date
}

/**
 * Stores failed sign-ins by the SHA-256 of the username. The username itself is not stored: it may have any length, and
 * a user may have typed a password into that field.
 *
 * Inside a transaction, another fiber writes the failure on another connection, so a rollback does not delete it. The
 * transaction does not wait for that connection. The next read waits for the write.
 */
export const layer: Layer.Layer<LoginAttempts, never, SqlClient.SqlClient> = Layer.effect(
  LoginAttempts,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const pendingWrites = new Set<Fiber.Fiber<void>>()

    const write = ({ at, ip, username }: FailedLogin) =>
      Effect.asVoid(orDie(sql`
        with purged as (
          delete from failed_login where id in (
            select id from failed_login where at < ${addMillis(at, -2 * loginWindowMs)}
            order by at limit ${purgeBatchSize} for update skip locked
          )
        )
        insert into failed_login ${sql.insert({ username_hash: sha256(username), ip, at })}`))

    const writeOutsideTransaction = (failure: FailedLogin) =>
      Effect.gen(function*() {
        const fiber = yield* write(failure).pipe(
          Effect.updateContext((context: Context.Context<never>) =>
            Context.omit(sql.transactionService)(context) as Context.Context<never>
          ),
          Effect.forkDetach
        )
        pendingWrites.add(fiber)
        fiber.addObserver(() => pendingWrites.delete(fiber))
      })

    const isInTransaction = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

    /**
     * Waits for pending writes. Does not wait inside a transaction, because a write may need the transaction's
     * connection.
     */
    const awaitPendingWrites = Effect.flatMap(
      isInTransaction,
      (inside) => inside ? Effect.void : Effect.forEach([...pendingWrites], Fiber.await, { discard: true })
    )

    return LoginAttempts.of({
      failures: Effect.fnUntraced(function*(username, ip, since) {
        yield* awaitPendingWrites
        const name = sha256(username)
        const rows = yield* orDie(sql<Row>`
          with own as (
            select id, ip, at from failed_login
            where username_hash = ${name} and at >= ${since} and ip = ${ip}
            order by at desc, id desc limit ${maxOwnFailures}
          ),
          newest as (
            select id, ip, at from failed_login
            where username_hash = ${name} and at >= ${since}
            order by at desc, id desc limit ${maxFailures}
          ),
          judged as (
            select id, ip, at, 0 as priority from own
            union all
            select id, ip, at, 1 from newest where id not in (select id from own)
            order by priority, at desc, id desc limit ${maxFailures}
          )
          select ip, at from judged order by at desc, id desc`)
        return rows.map((row) => ({ username, ip: row.ip, at: toTimestamp(row.at) }))
      }),
      record: (failure) =>
        Effect.flatMap(isInTransaction, (inside) => inside ? writeOutsideTransaction(failure) : write(failure)),
      clear: Effect.fnUntraced(function*(username, ip) {
        yield* awaitPendingWrites
        yield* orDie(sql`delete from failed_login where username_hash = ${sha256(username)} and ip = ${ip}`)
      })
    })
  })
)
