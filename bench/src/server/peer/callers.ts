import { type PoolClient, type QueryConfig, type QueryResultRow } from "pg"
import { invalidToken, Refusal } from "./Refusal.ts"
import { config, pool } from "./setUp.ts"
import { type Token } from "./tokens.ts"

/** The groups by id. `shown` is the group in the response for a user. */
export const groups = new Map(
  config.groups.map(({ group_id, label, permissions, slug }) =>
    [group_id, { shown: { group_id, slug, label }, permissions: new Set(permissions) }] as const
  )
)

const isActive = `
  owner.deleted_at is null
  and not exists (
    select from subtree_region part join partner above on above.id = part.top_id
    where part.region_id = owner.region_id and above.status <> 'active'
  )
  and not exists (
    select from subtree_partner part join partner above on above.id = part.top_id
    where part.partner_id = owner.id and above.status <> 'active'
  )`

/**
 * Selects the caller by the claims of its token: the subject ($1), the partner ($2) and the version of the credentials
 * ($3).
 */
const selectCaller: Readonly<Record<Token["kind"], string>> = {
  user: `
    select item.group_id as caller_group_id, item.must_change_password as caller_must_change_password
    from app_user item join partner owner on owner.id = item.partner_id
    where item.id = $1 and item.partner_id = $2 and item.credentials_version = $3
      and item.status = 'ACTIVE' and item.deleted_at is null and ${isActive}`,
  client: `
    select item.group_id as caller_group_id, false as caller_must_change_password
    from api_client item join partner owner on owner.id = item.partner_id
    where item.client_id = $1 and item.partner_id = $2 and item.credentials_version = $3
      and item.revoked_at is null and ${isActive}`
}

/** A prepared statement in two variants, one per kind of caller. */
export type Statement = Readonly<Record<Token["kind"], Required<Pick<QueryConfig, "name" | "text">>>>

/**
 * Makes a statement that also reads the caller, in a common table expression (CTE) named `caller`. `body` is the rest
 * of the statement: the main query, or a comma, further CTEs and the main query. The first three parameters identify
 * the caller.
 */
export const statement = (name: string, body: string): Statement => {
  const of = (kind: Token["kind"]) => ({
    name: `${name} ${kind}`,
    text: `with caller as materialized (${selectCaller[kind]}) ${body}`
  })
  return { user: of("user"), client: of("client") }
}

/** The columns of the caller that each main query must select. */
export const callerColumns = "caller.caller_group_id, caller.caller_must_change_password"

/** A row of a statement. If the caller is invalid, the statement returns no row. */
type Row<R> = { readonly caller_group_id: string; readonly caller_must_change_password: boolean } & R

/** Runs a statement and checks its caller. Returns at least one row. */
export const run = async <R extends object>(
  prepared: Statement,
  token: Token,
  permission: string,
  values: ReadonlyArray<unknown>,
  client: Pick<PoolClient, "query"> = pool
): Promise<ReadonlyArray<R & QueryResultRow>> => {
  const { subject, partner_id, credentials_version } = token
  const { rows } = await client.query<Row<R> & QueryResultRow>({
    ...prepared[token.kind],
    values: [subject, partner_id, credentials_version, ...values]
  })
  const [row] = rows
  const group = row === undefined ? undefined : groups.get(row.caller_group_id)
  if (row === undefined || group === undefined) throw invalidToken()
  if (row.caller_must_change_password) throw new Refusal("PASSWORD_CHANGE_REQUIRED")
  if (!group.permissions.has(permission) || !token.scope.has(permission)) throw new Refusal("PERMISSION_DENIED")
  return rows
}

const callerOnly = statement("caller", `select ${callerColumns} from caller`)

/** Checks the caller before an error of the request is reported, because an invalid caller must not see that error. */
export const authorizeOnly = async (token: Token, permission: string): Promise<void> => {
  await run(callerOnly, token, permission, [])
}
