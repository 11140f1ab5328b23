import { type FailedLogin, LoginAttempts, loginWindowMs, millisOf, timestampOf } from "@lastro/domain"
import { Context, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orDie } from "../database/DatabaseFailure.ts"
import { sha256 } from "../database/sha256.ts"
import { timestamp } from "../database/timestamps.ts"

/** Failures a username is judged by at most, and how many of them are the address's own. */
const most = 50
const ownMost = 5

/** Rows too old to be of use that each record takes away. */
const purged = 10

interface Row {
  readonly ip: string
  readonly at: Date
}

/**
 * Failed sign-ins in PostgreSQL, under the SHA-256 of the username: it may be of any length, and somebody's password that
 * was typed into the wrong field.
 *
 * A failure that is recorded inside a transaction is written by a fiber outside of it, because the transaction must not
 * wait for a second connection while it holds one; whoever asks next waits for that fiber.
 */
export const layer: Layer.Layer<LoginAttempts, never, SqlClient.SqlClient> = Layer.effect(
  LoginAttempts,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const writing = new Set<Fiber.Fiber<void>>()

    const write = ({ at, ip, username }: FailedLogin) =>
      Effect.asVoid(orDie(sql`
        with purged as (
          delete from failed_login where id in (
            select id from failed_login where at < ${timestampOf(millisOf(at) - 2 * loginWindowMs)}
            order by at limit ${purged} for update skip locked
          )
        )
        insert into failed_login ${sql.insert({ username_hash: sha256(username), ip, at })}`))

    const outside = (failure: FailedLogin) =>
      Effect.gen(function*() {
        const fiber = yield* write(failure).pipe(
          Effect.updateContext((context: Context.Context<never>) =>
            Context.omit(sql.transactionService)(context) as Context.Context<never>
          ),
          Effect.forkDetach
        )
        writing.add(fiber)
        fiber.addObserver(() => writing.delete(fiber))
      })

    const inTransaction = Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)

    /** Waits for what is being written, but not inside a transaction, which that may be waiting for in turn. */
    const settled = Effect.flatMap(
      inTransaction,
      (inside) => inside ? Effect.void : Effect.forEach([...writing], Fiber.await, { discard: true })
    )

    return LoginAttempts.of({
      failures: Effect.fn("LoginAttempts.failures")(function*(username, ip, since) {
        yield* settled
        const name = sha256(username)
        const rows = yield* orDie(sql<Row>`
          with own as (
            select id, ip, at from failed_login
            where username_hash = ${name} and at >= ${since} and ip = ${ip}
            order by at desc, id desc limit ${ownMost}
          ),
          newest as (
            select id, ip, at from failed_login
            where username_hash = ${name} and at >= ${since}
            order by at desc, id desc limit ${most}
          ),
          judged as (
            select id, ip, at, 0 as place from own
            union all
            select id, ip, at, 1 from newest where id not in (select id from own)
            order by place, at desc, id desc limit ${most}
          )
          select ip, at from judged order by at desc, id desc`)
        return rows.map((row) => ({ username, ip: row.ip, at: timestamp(row.at) }))
      }),
      record: Effect.fn("LoginAttempts.record")((failure) =>
        Effect.flatMap(inTransaction, (inside) => inside ? outside(failure) : write(failure))
      ),
      clear: Effect.fn("LoginAttempts.clear")(function*(username, ip) {
        yield* settled
        yield* orDie(sql`delete from failed_login where username_hash = ${sha256(username)} and ip = ${ip}`)
      })
    })
  })
)
