import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type OperationName, operations } from "@lastro/domain/operation"
import { completeCpf } from "@lastro/domain/values"
import { Effect, type Scope } from "effect"
import { endpoints } from "../../../packages/adapters-http/src/pipeline/endpoints.ts"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { asAdministrator } from "../../../packages/adapters-sql/test/schema/roles.ts"
import { ask, at, type Reply, type Sent, signIn, tokenOf } from "./running/asking.ts"
import { idOf, isSettled, kycOf, patientClient } from "./running/desk.ts"
import { runInProcess, serveInProcess } from "./running/inProcess.ts"
import { aReceiver } from "./running/receiver.ts"
import { onPostgres } from "./running/serving.ts"

/** Tables whose rows belong to no root. A sharded database has a copy of them on each shard. */
const sharedTables: Readonly<Record<string, string>> = {
  application_expiry_fold: "the state of a background job",
  audit_count_fold: "the state of a background job",
  lastro_migration: "the schema version",
  lender_throttle: "one budget of calls to a lender for the whole installation",
  node: "the running servers",
  personal_data_key: "the key of pseudonyms",
  signing_key: "the keys of tokens"
}

type Server = Effect.Success<ReturnType<typeof serveInProcess>>

/** A caller with all permissions in the tree of a root partner, and the number of its first customer. */
interface Tenant {
  readonly server: Server
  readonly token: string
  readonly customers: number
}

/** Reads a text of a response, whose record may be in `data`. */
const text = (reply: Reply, ...path: ReadonlyArray<string | number>): string =>
  String(at(reply, ...path) ?? at(reply, "data", ...path))

/** The contract may be signed before it gets another link, and nothing can be paid out before a month has passed. */
const mayBeRefused: ReadonlySet<OperationName> = new Set(["renewSignatureLink", "createCommissionPayout"])

/** Without a filter, these lists have the loans of the customers that `borrow` tried in vain, too. */
const hasEveryLoan: ReadonlySet<OperationName> = new Set(["listApplications", "listProposals"])

/** Calls every operation successfully. Returns the names and statuses, and the ids of records for other requests. */
const callEverything = Effect.fnUntraced(function*({ customers, server, token }: Tenant, hookUrl: string) {
  const answers: Array<string> = []
  let customer = customers
  let repeated = 0
  const call = Effect.fnUntraced(function*(
    name: OperationName,
    ids: ReadonlyArray<string> = [],
    { query = "", ...sent }: Sent & { readonly query?: string } = {}
  ) {
    // One endpoint serves two operations.
    const served = name === "searchApplications" ? "listApplications" : name
    const endpoint = endpoints.find((one) => one.kind === "operation" && one.name === served) ?? assert.fail(name)
    const path = ids.reduce((filled, id) => filled.replace(/:[a-z_]+/, id), endpoint.path)
    const reply = yield* ask(server, path + query, { method: endpoint.method, token, ...sent })
    if (!mayBeRefused.has(name)) assert.isBelow(reply.status, 300, `${name}: ${reply.text}`)
    const total = at(reply, "page", "total_elements")
    const compared = typeof total === "number" && query === "" && hasEveryLoan.has(name) ? total - repeated : total
    answers.push(`${name} ${reply.status}${compared === undefined ? "" : ` of ${String(compared)}`}`)
    return reply
  })
  const desk = patientClient(server, token)
  const open = (digits: string) => {
    const cpf = sandboxCpf(digits, customer++)
    const json = { external_id: `loan-${cpf}`, customer: { cpf, birth_date: "1990-05-17" } }
    return Effect.map(call("createApplication", [], { json }), (reply) => ({ cpf, id: idOf(reply) }))
  }
  /** Originates a loan to its payment. If the contract is signed before it has another link, the next customer is tried. */
  const borrow: Effect.Effect<{ readonly cpf: string; readonly proposal: string }> = Effect.gen(function*() {
    const before = answers.length
    const { cpf, id } = yield* open("00")
    yield* desk.until(id, isSettled)
    yield* call("getApplicationStatus", [id])
    yield* call("submitKyc", [id], { json: kycOf(cpf) })
    yield* call("getKyc", [id])
    const offer = text(yield* call("getApplication", [id]), "quote", "offers", 0, "offer_id")
    const accepted = yield* call("acceptOffer", [id, offer], { json: { terms_accepted: true } })
    const proposal = text(accepted, "proposal_id")
    const reaches = (...statuses: ReadonlyArray<string>) =>
      Effect.repeat(Effect.andThen(Effect.sleep("50 millis"), desk.proposal(proposal)), {
        until: (reply) => statuses.includes(text(reply, "status"))
      })
    yield* reaches("AWAITING_SIGNATURE", "PAID")
    const renewed = yield* call("renewSignatureLink", [proposal])
    if (renewed.status === 409) {
      answers.length = before
      repeated++
      return yield* borrow
    }
    yield* reaches("PAID")
    return { cpf, proposal }
  })

  const groups = yield* call("listGroups")
  const group_id = text(groups, "data", 0, "group_id")
  const document = (offset: number) => completeCpf(String(customers * 10 + offset).padStart(9, "0"))
  const partnerOf = (offset: number) => ({
    partner: {
      type: "pf",
      name: "Loja Avenida",
      email: "loja@example.com",
      phone: "11987654321",
      document_number: document(offset)
    }
  })
  const partner = text(yield* call("createPartner", [], { json: partnerOf(1) }), "partner_id")
  const removed = text(yield* call("createPartner", [], { json: partnerOf(2) }), "partner_id")
  yield* call("getPartner", [partner])
  yield* call("updatePartner", [partner], { json: { partner: { name: "Loja Central" } } })
  yield* call("deletePartner", [removed])
  yield* call("listLenders")
  yield* call("putRouting", [partner], { json: { strategy: "ALL", lenders: ["sandbox"] } })
  yield* call("getRouting", [partner])
  yield* call("deleteRouting", [partner])
  const plan = { valid_from: "2199-12-31", rates: [{ lender: null, table: null, of_parent: 50 }] }
  yield* call("createCommissionPlan", [partner], { json: plan })
  yield* call("listCommissionPlans", [partner])
  yield* call("getCurrentCommissionPlan", [partner], { query: "?on=2199-12-31" })
  yield* call("adjustCommission", [], { json: { partner_id: partner, amount: 12.5, note: "Bonus" } })
  yield* call("listCommissions")
  yield* call("summarizeCommissions", [], { query: "?period=2026-01" })
  const period = "2020-01"
  yield* call("closeCommissions", [], { json: { partner_id: partner, period } })
  // Nothing is closed yet, so there is nothing to pay.
  const payout = { partner_id: partner, period, amount: 1, reference: "TED", paid_at: "2026-01-31T12:00:00Z" }
  yield* call("createCommissionPayout", [], { json: payout })
  yield* call("listCommissionPayouts")
  yield* call("compareCommissionStatement", [], {
    method: "POST",
    query: `?period=${period}&lender=sandbox`,
    headers: { "content-type": "text/csv" },
    body: "reference,paid_amount,commission_amount,paid_at\n"
  })
  const user = {
    name: "Ana Souza",
    email: `ana${customers}@example.com`,
    phone: "11987654321",
    cpf: document(3),
    group_id,
    partner_id: partner
  }
  const userId = text(yield* call("createUser", [], { json: user }), "user_id")
  const removedUser = yield* call("createUser", [], { json: { ...user, cpf: document(4), email: `x${user.email}` } })
  yield* call("getUser", [userId])
  yield* call("updateUser", [userId], { json: { name: "Ana Lima" } })
  yield* call("deleteUser", [text(removedUser, "user_id")])
  yield* call("getOwnUser")
  const client = text(
    yield* call("createClient", [], { json: { name: "ERP", group_id, partner_id: partner } }),
    "client_id"
  )
  yield* call("getClient", [client])
  const rotated = yield* call("rotateClientSecret", [client])
  assert.strictEqual((yield* signIn(server, client, text(rotated, "client_secret"))).status, 200)
  yield* call("revokeClient", [client])

  const webhook = text(yield* call("createWebhook", [], { json: { url: hookUrl } }), "webhook_id")
  yield* call("getWebhook", [webhook])
  yield* call("updateWebhook", [webhook], { json: { types: ["proposal.*"] } })
  yield* call("rotateWebhookSecret", [webhook])
  yield* call("testWebhook", [webhook])
  const { cpf, proposal } = yield* borrow
  yield* call("getProposal", [proposal])
  yield* call("withdrawFromProposal", [proposal], { json: { reason: "CUSTOMER_REQUEST" } })
  const deliveries = yield* Effect.repeat(
    Effect.andThen(Effect.sleep("50 millis"), ask(server, `/api/v1/webhooks/${webhook}/deliveries`, { token })),
    { until: (reply) => at(reply, "content", 0, "event_id") !== undefined }
  )
  yield* call("listWebhookDeliveries", [webhook], { query: "?page=100" })
  yield* call("redeliverEvent", [webhook, text(deliveries, "content", 0, "event_id")])
  yield* call("replayWebhook", [webhook], { json: { from_sequence: 1 } })
  yield* call("listWebhooks")

  const refused = yield* open("90")
  yield* desk.until(refused.id, isSettled)
  yield* call("requoteApplication", [refused.id])
  yield* desk.until(refused.id, isSettled)
  yield* call("updateApplication", [refused.id], { json: { metadata: { plan: "gold" } } })
  yield* call("cancelApplication", [refused.id])
  yield* call("searchApplications", [], { query: `?external_id=loan-${refused.cpf}` })
  for (const name of ["listPartners", "listClients", "listApplications", "listProposals"] as const) {
    yield* call(name)
  }
  yield* call("listPartners", [], { query: "?name=loja&sort=name" })
  yield* call("listUsers", [], { query: "?full_name=ana&sort=email,desc" })
  yield* call("listProposals", [], { query: `?cpf=${cpf}` })
  yield* call("summarizeApplications")
  yield* call("listAudit", [], { query: "?page=1000" })
  yield* call("listEvents")
  yield* call("deleteWebhook", [webhook])
  const names = new Set(answers.map((answer) => answer.split(" ")[0]))
  assert.sameMembers([...names], Object.keys(operations), "every operation is called")
  // The numbers of webhook deliveries and audit entries depend on the time of background jobs.
  return {
    answers: answers.map((answer) => /Deliveries|Audit/.test(answer) ? answer.replace(/ of .*/, "") : answer),
    partner,
    user
  }
})

/**
 * Hides all present rows from every role but the superuser, with row-level security. A row that is written later is
 * visible. Returns the tables that have no primary key.
 */
const hidePresentRows = `
  do $$ declare item record; begin
    create schema hidden;
    for item in
      select relname, relkind, string_agg(quote_ident(attname), ', ' order by attnum) as key,
        case when bool_or(indnullsnotdistinct) then 'is not distinct from' else '=' end as equals
      from pg_class left join pg_index on indrelid = pg_class.oid and (indisprimary or indnullsnotdistinct)
        left join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where relnamespace = current_schema::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
        and relname <> all (array[${Object.keys(sharedTables).map((name) => `'${name}'`).join()}])
      group by relname, relkind
    loop
      if item.relkind = 'v' then
        execute format('alter view %I set (security_invoker = true)', item.relname);
      else
        execute format('create table hidden.%I as select %s from %1$I', item.relname, item.key);
        execute format('alter table hidden.%I add unique nulls not distinct (%s)', item.relname, item.key);
        execute format('alter table %I enable row level security', item.relname);
        execute format(
          'create policy of_one_root on %1$I using (not exists (select from hidden.%1$I other where (%2$s) %4$s (%3$s)))',
          item.relname,
          (select string_agg('other.' || part, ', ') from unnest(string_to_array(item.key, ', ')) part),
          (select string_agg(format('%I.%s', item.relname, part), ', ')
            from unnest(string_to_array(item.key, ', ')) part),
          item.equals
        );
      end if;
    end loop;
  end $$`

/** Creates a role that sees only the rows that are not hidden. Returns the URL with this role. */
const roleOf = (database: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function*() {
    const url = new URL(database)
    const role = `${url.pathname.slice(1)}_role`
    yield* asAdministrator(
      database,
      `create role ${role} login`,
      `grant usage on schema hidden to ${role}`,
      `grant select on all tables in schema hidden to ${role}`,
      `grant usage on schema public to ${role}`,
      `grant all on all tables in schema public to ${role}`,
      `grant usage on all sequences in schema public to ${role}`
    )
    yield* Effect.addFinalizer(() => asAdministrator(database, `drop owned by ${role}`, `drop role ${role}`))
    url.username = role
    url.password = ""
    return url.href
  })

/** The answer to a request that depends on the rows of another root, with these rows and without them. */
type Answers = readonly [withThem: string, without: string]

/**
 * Everything for which a statement reads rows of any root. A sharded database needs a table of its own for each of them,
 * which finds the root of a key.
 */
const exceptions = {
  "an e-mail, a client id, a token or a callback key is looked up before a root is known": [
    "200",
    "401 invalid_client"
  ],
  // The index finds the other row, although it is hidden.
  "the e-mail of a user is unique in the installation": ["409 EMAIL_TAKEN", "409 EMAIL_TAKEN"],
  "an id outside the hierarchy of the caller is 403, an unknown one 404": ["403 OUTSIDE_HIERARCHY", "404 NOT_FOUND"],
  "a field with the id of another root is OUTSIDE_HIERARCHY": ["422 OUTSIDE_HIERARCHY", "422 NOT_FOUND"]
} satisfies Readonly<Record<string, Answers>>

const outcomeOf = (reply: Reply): string =>
  [reply.status, at(reply, "error", "details", 0, "code") ?? at(reply, "error", "code") ?? at(reply, "error")]
    .filter((part) => part !== undefined).join(" ")

describe("the rows of two root partners", () => {
  it.live(
    "every operation gives the same answer without the rows of other roots",
    () =>
      Effect.gen(function*() {
        const database = yield* migratedDatabase
        const receiver = yield* aReceiver(204)
        const settings = { LASTRO_WEBHOOK_ALLOW: new URL(receiver.url).host, LASTRO_SANDBOX_STEP_MS: "500" }
        const environment = { ...onPostgres(database), ...settings }
        const other = yield* Effect.scoped(Effect.gen(function*() {
          const server = yield* serveInProcess(environment)
          const token = tokenOf(yield* signIn(server))
          return yield* callEverything({ server, token, customers: 0 }, receiver.url)
        }))
        yield* asAdministrator(database, hidePresentRows)
        const run = (...args: ReadonlyArray<string>) =>
          Effect.map(runInProcess(args, environment), ({ ending, err, out }) => {
            assert.strictEqual(ending, 0, err)
            return out
          })
        const create = "partners create-root --type pj --name Second --email second@example.com --phone 1133334444"
        const root = (yield* run(...create.split(" "), "--document", "11222333000181")).split("\t")[0] ?? ""
        const printed = yield* run("clients", "create", "--partner", root, "--group", "admin")
        const printedValue = (name: string) => new RegExp(`${name}\\s+(\\S+)`).exec(printed)?.[1]
        const alone = yield* serveInProcess({ ...onPostgres(yield* roleOf(database)), ...settings })
        const token = tokenOf(yield* signIn(alone, printedValue("client_id"), printedValue("client_secret")))
        const own = yield* callEverything({ server: alone, token, customers: 500 }, receiver.url)
        assert.deepStrictEqual(own.answers, other.answers)

        const whole = yield* serveInProcess(environment)
        const requests: Readonly<Record<keyof typeof exceptions, (server: Server) => Effect.Effect<Reply>>> = {
          "an e-mail, a client id, a token or a callback key is looked up before a root is known": (server) =>
            signIn(server),
          "the e-mail of a user is unique in the installation": (server) =>
            ask(server, "/api/v1/users", { token, json: { ...other.user, partner_id: own.partner } }),
          "an id outside the hierarchy of the caller is 403, an unknown one 404": (server) =>
            ask(server, `/api/v1/partners/${other.partner}`, { token }),
          "a field with the id of another root is OUTSIDE_HIERARCHY": (server) =>
            ask(server, "/api/v1/users", { token, json: { ...own.user, partner_id: other.partner } })
        }
        const found: Record<string, Answers> = {}
        for (const [name, request] of Object.entries(requests)) {
          found[name] = [outcomeOf(yield* request(whole)), outcomeOf(yield* request(alone))]
        }
        assert.deepStrictEqual(found, exceptions)
      }),
    { timeout: 180_000 }
  )
})
