import { type Credentials, type PasswordHash, type Principal, PrincipalRepository } from "@lastro/domain/identity"
import { emailKey, lowerCaseEmail, parseUuid, type Timestamp } from "@lastro/domain/values"
import { Array as Arr, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { compileRead } from "../database/postgres/BoundRead.ts"
import { type BoundStatement, isLean } from "../database/postgres/LeanClient.ts"
import { compileOnce, runCompiled } from "../database/postgres/statements.ts"
import { areAncestorsActive } from "../hierarchy/subtree.ts"
import { hasAddress } from "../user/userRow.ts"

/**
 * The columns of a principal. The hashes are null except in a sign-in. `previous_hash` is null unless an API client has
 * a previous secret.
 */
type Row = Omit<Principal, "previous_valid_until" | "session_ended"> & {
  readonly session_ended?: boolean
  readonly hash: PasswordHash | null
  readonly previous_hash?: PasswordHash | null
  readonly previous_valid_until?: Timestamp | null
}
type SignInRow = Row & { readonly hash: PasswordHash }

const principalOf = (row: Row): Principal => {
  const { previous_valid_until = null, session_ended = false } = row
  return {
    kind: row.kind,
    subject: row.subject,
    partner_id: row.partner_id,
    root_id: row.root_id,
    group_id: row.group_id,
    active: row.active,
    partners_active: row.partners_active,
    credentials_version: row.credentials_version,
    must_change_password: row.must_change_password,
    ...(previous_valid_until === null ? {} : { previous_valid_until }),
    ...(session_ended ? { session_ended } : {})
  }
}

const credentialsOf = (row: SignInRow): Credentials => {
  const { hash, previous_hash = null } = row
  return { principal: principalOf(row), hash, ...(previous_hash === null ? {} : { previous_hash }) }
}

const firstRow = <R, A>(rows: ReadonlyArray<R>, convert: (row: R) => A) => Option.map(Arr.head(rows), convert)

/** Reads the current state of users and API clients, each in one query. */
export const layer: Layer.Layer<PrincipalRepository, never, SqlClient.SqlClient> = Layer.effect(
  PrincipalRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const partnersActive = areAncestorsActive(sql)

    const noHash = sql`null`
    const hasUserSessionEnded = (session: unknown) =>
      sql`${session}::text is not null and not exists (
        select from refresh_token live where live.family_id = ${session} and live.revoked_at is null)`
    const selectUser = <R extends Row>(condition: Fragment, hash: Fragment, sessionEnded: Fragment = sql`false`) =>
      sql<R>`
        select 'user' as kind, item.id as subject, item.partner_id, owner.root_id, item.group_id,
          item.status = 'ACTIVE' as active, ${partnersActive} as partners_active,
          item.credentials_version, item.must_change_password, ${sessionEnded} as session_ended, ${hash} as hash
        from app_user item join partner owner on owner.id = item.partner_id and owner.deleted_at is null
        where item.deleted_at is null and ${condition}`

    // A node of an earlier version may have rotated the secret without storing the previous one. Then the stored
    // previous secret is an older one, and not valid.
    const hasPrevious = sql`item.previous_version = item.credentials_version - 1`
    const previousUntil = sql`to_char(item.previous_valid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    const hasClientSessionEnded = (session: unknown) =>
      sql`${session}::text is not null and exists (select from ended_session where session = ${session})`
    const selectClient = (id: unknown, hash: Fragment, previousHash: Fragment, sessionEnded: Fragment) =>
      sql<Row>`
        select 'client' as kind, item.client_id as subject, item.partner_id, owner.root_id, item.group_id,
          true as active, ${partnersActive} as partners_active,
          item.credentials_version, case when ${hasPrevious} then ${previousUntil} end as previous_valid_until,
          false as must_change_password, ${sessionEnded} as session_ended, ${hash} as hash, ${previousHash} as previous_hash
        from api_client item join partner owner on owner.id = item.partner_id and owner.deleted_at is null
        where item.revoked_at is null and item.client_id = ${id}`

    // These statements read no hash. Only a sign-in does.
    const userById = compileRead(
      { id: "uuid", session: "text" },
      ({ id, session }) => selectUser(sql`item.id = ${id}`, noHash, hasUserSessionEnded(session))
    )
    const clientById = compileRead(
      { id: "text", session: "text" },
      ({ id, session }) => selectClient(id, noHash, noHash, hasClientSessionEnded(session))
    )
    const clientToSignIn = compileOnce(
      ["id"],
      ({ id }) =>
        selectClient(
          id,
          sql`item.secret_hash`,
          sql`case when ${hasPrevious} then item.previous_secret_hash end`,
          sql`false`
        )
    )

    /** Returns the statement that reads a principal. None if no principal can have this id. */
    const statementOf = (
      kind: Principal["kind"],
      subject: string,
      session: string | null = null
    ): Option.Option<BoundStatement> =>
      kind === "client"
        ? Option.some(clientById({ id: subject, session }))
        : Option.map(Result.getSuccess(parseUuid(subject)), (id) => userById({ id, session }))

    // This function has no span: every request calls it, and the statement already has one.
    const find = (
      kind: Principal["kind"],
      subject: string,
      session?: string
    ): Effect.Effect<Option.Option<Principal>> =>
      Option.match(statementOf(kind, subject, session), {
        onNone: () => Effect.succeedNone,
        onSome: (statement) =>
          Effect.map(orDie(runCompiled<Row>(sql, statement)), (rows) => firstRow(rows, principalOf))
      })

    const findWhile = <A, R>(
      kind: Principal["kind"],
      subject: string,
      meanwhile: Effect.Effect<A, never, R>,
      session?: string
    ) => {
      const statement = statementOf(kind, subject, session)
      if (!isLean(sql) || Option.isNone(statement)) return Effect.zip(find(kind, subject, session), meanwhile)
      return Effect.map(
        orDie(sql.runWith<Row, A, never, R>(statement.value, meanwhile)),
        ([row, result]) => [Option.map(Option.fromNullOr(row), principalOf), result] as const
      )
    }

    return PrincipalRepository.of({
      find,
      findWhile,
      findByEmail: (email) =>
        Effect.map(
          orDie(sql<SignInRow>`
            ${selectUser(hasAddress(sql, email), sql`item.password_hash`)}
            order by item.email_key = ${lowerCaseEmail(email)} desc, item.email_key = ${emailKey(email)} desc limit 1`),
          (rows) => firstRow(rows, credentialsOf)
        ),
      findByClientId: (client_id) =>
        Effect.map(
          orDie(runCompiled<SignInRow>(sql, clientToSignIn({ id: client_id }))),
          (rows) => firstRow(rows, credentialsOf)
        )
    })
  })
)
