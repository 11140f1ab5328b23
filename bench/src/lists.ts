import { checkHierarchy } from "@lastro/adapters-sql"
import { asOperator, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PasswordHash } from "@lastro/domain/identity"
import { foldText } from "@lastro/domain/input"
import { ProposalRepository } from "@lastro/domain/origination"
import { PartnerRepository } from "@lastro/domain/partner"
import { UserRepository } from "@lastro/domain/user"
import { type PartnerId, type UserId } from "@lastro/domain/values"
import { commonFamilyName, rareFamilyName, seed as fill, vacuum } from "@lastro/seed"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { benchmark, dataFlags, table, whole } from "./harness/benchmark.ts"
import { database } from "./harness/database.ts"
import { measure, readTable, timed, type Variant } from "./harness/rounds.ts"
import { median } from "./harness/statistics.ts"

/** The top of a subtree, and the number of records of each kind in it. */
interface Row extends Readonly<Record<"partners" | "users" | "proposals", number>> {
  readonly id: PartnerId
}

const withScope = (name: string, row: Row) => ({ ...row, name, scope: asOperator.scope(row.id) })

type ListedScope = ReturnType<typeof withScope>

/**
 * Finds, for each share, the subtree whose numbers of partners and users are closest to that share of the tree. Finds
 * the root only for the share 1.
 */
const namedScopes = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [whole] = yield* sql<{ readonly partners: number }>`select max(partners) as partners from subtree_count`
  const leaf = 1 / (whole?.partners ?? 1)
  const shares = [["root", 1], ["10 %", 0.1], ["0.5 %", 0.005], ["ten partners", 10 * leaf], ["leaf", leaf]] as const
  return yield* Effect.forEach(shares, ([name, share]) =>
    Effect.map(
      sql<Row>`
        select one.partner_id as id, one.partners, one.users, one.proposals
        from subtree_count one, (select max(partners) as partners, max(users) as users from subtree_count) whole
        where one.users > 0 and (one.partners < whole.partners or ${share}::float8 = 1)
        order by abs(ln(one.partners / (${share}::float8 * whole.partners)))
          + abs(ln(one.users / (${share}::float8 * whole.users))), one.partner_id
        limit 1`,
      (rows) => rows.map((row) => withScope(name, row))
    ))
})

/**
 * Finds at most `limit` scopes, from which `slowest` then chooses one. Half of them contain 0.1 to 5 % of the users. Such
 * scopes are slow, because reading the whole scope and filtering the whole tree are both expensive. The other half have
 * other sizes.
 */
const manyScopes = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, limit: number) {
  const rows = yield* sql<Row>`
    with sized as (
      select partner_id as id, partners, users, proposals, users / max(users) over ()::float8 as share from subtree_count
    ),
    spread as (
      select *, row_number() over (
        partition by share between 0.001 and 0.05, floor(3 * ln(users)) order by md5(id::text)
      ) as turn
      from sized where users > 20 and share < 0.5
    ),
    ranked as (
      select *, row_number() over (partition by share between 0.001 and 0.05 order by turn, id) as place from spread
    )
    select id, partners, users, proposals from ranked where place <= ${Math.ceil(limit / 2)}::int order by place, id`
  return rows.map((row) => withScope("", row))
})

/** Finds the scope with the largest median of seven runs. */
const slowest = Effect.fnUntraced(function*(name: string, scopes: ReadonlyArray<ListedScope>, list: List) {
  const taken = yield* Effect.forEach(scopes, (listed) =>
    Effect.map(
      Effect.replicateEffect(timed(list(listed.scope)), 7),
      (times) => ({ listed: { ...listed, name }, time: median(times) })
    ))
  return taken.toSorted((a, b) => b.time - a.time).slice(0, 1).map(({ listed }) => listed)
})

/**
 * The parameters of a list that the benchmark varies. `name` is a part of a name, in lower case and without accents.
 */
interface Question {
  readonly sort?: string
  readonly page?: number
  readonly name?: string
}

type List = (scope: SubtreeScope, question?: Question) => Effect.Effect<unknown, Error>

/** Builds a list query. By default, the newest records come first. Any other field sorts in ascending order. */
const queryOf = (filter: string, { name, page = 0, sort }: Question) => ({
  filters: name === undefined ? {} : { [filter]: name },
  page: { number: page, size: 20 },
  sort: [{ property: (sort ?? "created_at") as "created_at", direction: sort === undefined ? "desc" : "asc" }] as const
})

/** Returns the lists of users, partners and proposals, with their sort fields. */
const kinds = Effect.gen(function*() {
  const [users, partners, proposals] = yield* Effect.all([UserRepository, PartnerRepository, ProposalRepository])
  const all: Readonly<Record<"users" | "partners" | "proposals", [list: List, ...sorts: ReadonlyArray<string>]>> = {
    users: [(scope, question = {}) => users.list(scope, queryOf("full_name", question)), "name", "cpf", "phone"],
    partners: [(scope, question = {}) => partners.list(scope, queryOf("name", question)), "name", "email", "status"],
    proposals: [(scope, question = {}) => proposals.list(scope, queryOf("customer_name", question)), "net_amount"]
  }
  return all
})

const names = { rare: foldText(rareFamilyName), common: foldText(commonFamilyName) }

/** Reads a page of users and the total with two recursive queries, as without a hierarchy index. */
const recursivePage = (sql: SqlClient.SqlClient, { partner_id }: SubtreeScope) => {
  const from = `from app_user u join tree on tree.id = u.partner_id where u.deleted_at is null`
  const read = (query: string) =>
    sql.unsafe(
      `with recursive tree as (
        select id from partner where id = $1 and deleted_at is null
        union all
        select partner.id from partner join tree on partner.parent_id = tree.id where partner.deleted_at is null
      ) ${query}`,
      [partner_id]
    )
  const page = read(`select u.* ${from} order by u.created_at desc, u.id desc limit 20 offset 0`)
  return Effect.all([page, read(`select count(*) ${from}`)])
}

/** Returns all variants. The first scope must be the root. The first variant is the reference. */
const variantsOf = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, scopes: ReadonlyArray<ListedScope>) {
  const [root] = scopes
  if (root === undefined) return yield* Effect.die(new Error("There is no partner"))
  const users = yield* UserRepository
  const ids = yield* sql<{ readonly id: UserId }>`select id from app_user order by md5(id::text) limit 1000`
  let turn = 0
  const withNextId = <A, E>(read: (id: UserId | undefined) => Effect.Effect<A, E>) =>
    Effect.suspend(() => read(ids[turn++ % ids.length]?.id))
  const byPrimaryKey = (id: UserId | undefined) =>
    sql`
      select id as user_id, name, email, phone, cpf, status, group_id, must_change_password, created_at, partner_id
      from app_user where id = ${id} and deleted_at is null`
  const byId = (id: UserId | undefined) => id === undefined ? Effect.void : users.find(root.scope, id)
  const all: Array<Variant> = [
    { name: "user by primary key", run: withNextId(byPrimaryKey) },
    { name: "user by id, with its scope", run: withNextId(byId) },
    { name: "users, root, recursive CTE", run: recursivePage(sql, root.scope) }
  ]
  for (const [kind, [list, ...sorts]] of Object.entries(yield* kinds)) {
    for (const { name, scope } of scopes) all.push({ name: `${kind}, ${name}`, run: list(scope) })
    for (const { name, scope, ...counts } of scopes.filter(({ name }) => name === "root" || name === "0.5 %")) {
      const page = Math.floor(counts[kind as "users" | "partners" | "proposals"] / 40)
      all.push(
        ...sorts.map((sort) => ({ name: `${kind} by ${sort}, ${name}`, run: list(scope, { sort }) })),
        { name: `${kind} with a rare name, ${name}`, run: list(scope, { name: names.rare }) },
        { name: `${kind} with a common name, ${name}`, run: list(scope, { name: names.common }) },
        { name: `${kind}, ${name}, middle page`, run: list(scope, { page }) }
      )
    }
  }
  return all
})

const flags = {
  ...dataFlags,
  applications: whole("applications", 20_000, "Number of applications"),
  rounds: whole("rounds", 40, "Number of rounds")
}

/** Provides all database ports on a new database with generated data. */
const filled = (size: Parameters<typeof fill>[0]) =>
  Layer.effectDiscard(Effect.gen(function*() {
    yield* fill(size)
    yield* vacuum()
    const findings = yield* checkHierarchy
    if (findings.length > 0) return yield* Effect.die(new Error(`The data is invalid: ${JSON.stringify(findings)}`))
  })).pipe(Layer.provideMerge(database))

/** Measures pages in scopes of every size. The reference is the read of one user by primary key. */
export const lists = benchmark(
  "lists",
  "Measures pages of users, partners and proposals, compared with a read by primary key",
  flags,
  Effect.fnUntraced(
    function*({ rounds }) {
      const sql = yield* SqlClient.SqlClient
      const { partners: [partners], proposals: [proposals], users: [users] } = yield* kinds
      const many = yield* manyScopes(sql, 240)
      const scopes = [
        ...(yield* namedScopes(sql)).flat(),
        ...yield* slowest("slowest found for users", many, users),
        ...yield* slowest("slowest found for partners", many, partners),
        ...yield* slowest("slowest found for proposals", many.filter((listed) => listed.proposals > 20), proposals)
      ]
      const results = yield* measure(yield* variantsOf(sql, scopes), rounds)
      const sizes = scopes.map((listed) => [
        listed.name,
        ...[listed.partners, listed.users, listed.proposals].map(String)
      ])
      return {
        lines: [table(["scope", "partners", "users", "proposals"], sizes), readTable(results)],
        results: { scopes, results }
      }
    },
    (run, size) => Effect.provide(run, filled({ ...size, passwordHash: "nobody knows" as PasswordHash }))
  )
)
