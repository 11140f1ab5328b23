import {
  type Credentials,
  emailKey,
  parseUuid,
  type PasswordHash,
  type Principal,
  PrincipalRepository
} from "@lastro/domain"
import { Array as Arr, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { keptText } from "../database/precompileStatement.ts"
import { ancestors } from "../hierarchy/subtree.ts"

type Row = Principal & { readonly hash: PasswordHash }

const principalOf = ({ hash: _, ...principal }: Row): Principal => principal

const credentialsOf = ({ hash, ...principal }: Row): Credentials => ({ principal, hash })

const one = <A>(rows: ReadonlyArray<Row>, read: (row: Row) => A) => Option.map(Arr.head(rows), read)

/** Users and clients as they stand at this moment, each looked up in one query. */
export const layer: Layer.Layer<PrincipalRepository, never, SqlClient.SqlClient> = Layer.effect(
  PrincipalRepository,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const owner = { id: sql.literal("owner.id"), region: sql.literal("owner.region_id") }
    const partnersActive = sql`not exists (
      select from ${ancestors(sql, owner)} above join partner ancestor on ancestor.id = above.top_id
      where ancestor.status <> 'active'
    )`

    const user = (condition: Fragment) =>
      sql<Row>`
        select 'user' as kind, item.id as subject, item.partner_id, owner.root_id, item.group_id,
          item.status = 'ACTIVE' as active, ${partnersActive} as partners_active,
          item.credentials_version, item.must_change_password, item.password_hash as hash
        from app_user item join partner owner on owner.id = item.partner_id and owner.deleted_at is null
        where item.deleted_at is null and ${condition}`

    const userWithId = keptText(sql, ["id"], ({ id }) => user(sql`item.id = ${id}`))

    const clientWithId = keptText(sql, ["id"], ({ id }) =>
      sql<Row>`
        select 'client' as kind, item.client_id as subject, item.partner_id, owner.root_id, item.group_id,
          true as active, ${partnersActive} as partners_active,
          item.credentials_version, false as must_change_password, item.secret_hash as hash
        from api_client item join partner owner on owner.id = item.partner_id and owner.deleted_at is null
        where item.revoked_at is null and item.client_id = ${id}`)

    return PrincipalRepository.of({
      // No span of its own: every request passes here, a span costs more than it seems, and the statement has one.
      find: Effect.fnUntraced(function*(kind, subject) {
        if (kind === "client") return one(yield* orDie(clientWithId({ id: subject })), principalOf)
        const id = parseUuid(subject)
        if (Result.isFailure(id)) return Option.none()
        return one(yield* orDie(userWithId({ id: id.success })), principalOf)
      }),
      findByEmail: Effect.fn("PrincipalRepository.findByEmail")((email) =>
        Effect.map(
          orDie(user(sql`item.email_key = ${emailKey(email)}`)),
          (rows) => one(rows, credentialsOf)
        )
      ),
      findByClientId: Effect.fn("PrincipalRepository.findByClientId")((client_id) =>
        Effect.map(orDie(clientWithId({ id: client_id })), (rows) => one(rows, credentialsOf))
      )
    })
  })
)
