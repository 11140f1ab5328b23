import { groupBySlug } from "@lastro/domain/access"
import { type PasswordHash, storeClientSecret } from "@lastro/domain/identity"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { activeAncestors, type Caller, password, requestToken, signIn } from "../harness/callers.ts"
import { type Ask, requestOf } from "../harness/load.ts"
import { type Served } from "../harness/processes.ts"
import { type Operation } from "./operations.ts"

/** The running servers, and the callers with their records. */
export interface Bench {
  readonly passwordHash: PasswordHash
  readonly lastro: Served
  readonly peer: Served
  readonly callers: ReadonlyArray<Caller>
}

/** A request id that the audit stores unchanged. */
const requestId = "0197f3a2-0000-7000-8000-000000000001"

/** Headers that are not compared, because they differ between responses or connections. */
const notCompared = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"])

/** Sends a request. Returns the status, the headers and the body as one text. */
const askText = ({ url }: Served, ask: Ask): Effect.Effect<string> =>
  Effect.promise(async () => {
    const { headers, path, ...request } = requestOf(ask)
    const answer = await fetch(url + path, { ...request, headers: { ...headers, "x-request-id": requestId } })
    const compared = [...answer.headers].filter(([name]) => !notCompared.has(name)).map(([name, value]) =>
      `${name}: ${value.replace("; charset=utf-8", "")}`
    )
    return [answer.status, ...compared.toSorted(), await answer.text()].join("\n")
  })

const etagOf = (answer: string): string | undefined => /^etag: (.*)$/m.exec(answer)?.[1]

/** Dies if a response of the hand-written server differs from that of Lastro. */
const dieIfDifferent = (expected: string, found: string, what: string) =>
  expected === found ? Effect.void : Effect.die(new Error(`${what} differs:\n${expected}\n\n${found}`))

/**
 * Checks that both servers respond to a request with the same status, headers and bytes. If the response has an ETag,
 * repeats the request with `If-None-Match`. Returns the number of compared responses.
 */
const compareAnswers = (bench: Bench, ask: Ask): Effect.Effect<number> =>
  Effect.gen(function*() {
    const answers = [askText(bench.lastro, ask), askText(bench.peer, ask)] as const
    const [expected, found] = yield* Effect.all(answers, { concurrency: 2 })
    yield* dieIfDifferent(expected, found, `${ask.method ?? "GET"} ${ask.path}`)
    const etag = etagOf(expected)
    if (etag === undefined || ask.headers !== undefined || ask.method !== undefined) return 1
    return 1 + (yield* compareAnswers(bench, { ...ask, headers: { "if-none-match": etag } }))
  })

/** Changes of stored users after their sign-in: columns with their new values. */
const changes: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  { group_id: groupBySlug("viewer").group_id },
  { group_id: groupBySlug("operator").group_id },
  { credentials_version: 7 },
  { status: "INACTIVE" },
  { must_change_password: true }
]

/**
 * Creates tokens that a server must reject for some or all operations, because the state of their callers has changed.
 * Also creates a token of an API client, and one with a narrow scope.
 */
const oddTokens = Effect.fnUntraced(function*({ callers, lastro, passwordHash }: Bench) {
  const sql = yield* SqlClient.SqlClient
  const [root, middle] = callers
  if (root === undefined || middle === undefined) return yield* Effect.die(new Error("There are too few callers"))
  const users = yield* sql<{ readonly id: string; readonly email: string }>`
    select id, email from app_user
    where root_id = ${root.partner_id} and status = 'ACTIVE' and not must_change_password and deleted_at is null
      and partner_id in (select partner_id from subtree_count where partners = 1)
      and ${activeAncestors(sql, "app_user.partner_id")}
      and not ${sql.in("partner_id", callers.map(({ partner_id }) => partner_id))}
    order by md5(id::text) limit ${changes.length + 1}`
  const narrow = { username: root.email, password, scope: "partners:read fgts:read" }
  yield* sql`insert into api_client ${
    sql.insert({
      client_id: "bench",
      partner_id: middle.partner_id,
      group_id: groupBySlug("admin").group_id,
      secret_hash: storeClientSecret({ origin: "unknown", hash: passwordHash }),
      created_at: new Date()
    })
  }`
  const client = { client_id: "bench", client_secret: password }
  const tokens = [
    yield* requestToken(lastro.url, { grant_type: "client_credentials", ...client }),
    yield* requestToken(lastro.url, { grant_type: "password", ...narrow })
  ]
  for (const [index, { email, id }] of users.entries()) {
    tokens.push(yield* signIn(lastro.url, email))
    const change = changes[index]
    yield* change === undefined
      ? sql`update partner set status = 'inactive' where id = (select partner_id from app_user where id = ${id})`
      : sql`update app_user set ${sql.update(change)} where id = ${id}`
  }
  return tokens
})

const street = { neighborhood: "Bela Vista", street: "Avenida Paulista", number: "1578" }

/** The bodies of consecutive changes. Some change nothing, and some are rejected. */
const bodies: ReadonlyArray<object> = [
  { partner: { name: "Crédito Ângela" } },
  { partner: { name: "Crédito Ângela" } },
  { partner: { email: "angela@credito.example", phone: "11987654321" } },
  { address: null },
  { address: { ...street, uf: "SP", city: "São Paulo", zipcode: "01310100" } },
  { address: { complement: "Apto 42" } },
  { address: {} },
  { pix: { type: "EMAIL", key: "angela@credito.example" } },
  { pix: null, partner: { name: "Crédito e Soluções" } },
  { bank_account: { type: "CC", agency: "0001", bank_code: "341", account_number: "1234567", account_digit: "8" } },
  { bank_account: { agency_digit: "X" } },
  {},
  { partner: { name: null } },
  { partner: { type: "pf" } }
]

/** Sends changes of one partner to both servers. Compares the responses, the stored partner and the audit entries. */
const comparePatches = Effect.fnUntraced(function*({ callers, lastro, peer }: Bench) {
  const sql = yield* SqlClient.SqlClient
  const caller = callers[1]
  const id = caller?.partners.at(-1) ?? ""
  const target = { path: `/api/v1/partners/${id}`, token: caller?.token }
  const stored = Effect.map(
    sql<{ readonly row: string }>`select to_jsonb(partner)::text as row from partner where id = ${id}`,
    ([partner]) => partner?.row ?? ""
  )
  const restore = (row: string) =>
    sql`
      update partner set (name, name_folded, email, email_folded, phone, pix, address, bank_account) = (
        select name, name_folded, email, email_folded, phone, pix, address, bank_account
        from jsonb_populate_record(null::partner, ${row}::jsonb)
      ) where id = ${id}`
  let audited = 0
  const observe = Effect.fnUntraced(function*(served: Served, ask: Ask) {
    const [last] = yield* sql<{ readonly position: bigint | null }>`select max(position) as position from audit`
    const answer = yield* askText(served, ask)
    const entries = yield* sql`
      select to_jsonb(audit) - 'id' - 'position' - 'at' as entry from audit where position > ${last?.position ?? 0}
      order by position`
    audited += entries.length
    return JSON.stringify({ answer, row: yield* stored, entries })
  })
  const preconditions = [undefined, "\"outdated\"", "current"]
  const requests = bodies.flatMap((body) => preconditions.map((precondition) => [body, precondition] as const))
  for (const [body, precondition] of requests) {
    const etag = precondition === "current" ? etagOf(yield* askText(lastro, target)) ?? "" : precondition
    const ask: Ask = { ...target, method: "PATCH", body, headers: etag === undefined ? {} : { "if-match": etag } }
    const before = yield* stored
    const expected = yield* observe(lastro, ask)
    yield* restore(before)
    yield* dieIfDifferent(expected, yield* observe(peer, ask), `The change ${JSON.stringify(body)}`)
  }
  if (audited === 0) return yield* Effect.die(new Error("No change was audited"))
  return requests.length
})

/** Returns copies of a request without a valid token: missing, malformed, or with a wrong signature. */
const unauthenticated = (ask: Ask): ReadonlyArray<Ask> =>
  [undefined, "nobody", `${ask.token?.slice(0, -4)}AAAA`].map((token) => ({ ...ask, token }))

/**
 * Compares the responses of both servers to reads and to rejected changes, and then the effects of changes. Returns the
 * number of compared responses.
 */
export const compareServers = Effect.fn("compareServers")(function*(
  bench: Bench,
  operations: ReadonlyArray<Operation>
) {
  const odd = yield* oddTokens(bench)
  const withOtherTokens = (ask: Ask) => [...unauthenticated(ask), ...odd.map((token) => ({ ...ask, token }))]
  const asks = operations.flatMap(({ compared }) => {
    const all = bench.callers.flatMap(compared)
    return [...all, ...all.slice(0, 1).flatMap(withOtherTokens)]
  })
  let count = 0
  for (const ask of asks) count += yield* compareAnswers(bench, ask)
  if (operations.some(({ name }) => name === "patch-partner")) count += yield* comparePatches(bench)
  return count
})
