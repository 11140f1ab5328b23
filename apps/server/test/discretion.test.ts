import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type Cpf } from "@lastro/domain/values"
import { Effect } from "effect"
import { freshDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { isOrdeal } from "../../../test/rounds.ts"
import { ask, at, logIn, type Reply, type Sent, signIn, tokenOf } from "./running/asking.ts"
import { collector } from "./running/collector.ts"
import { administer } from "./running/databases.ts"
import { type Desk, idOf, isSettled, kycOf, patientClient } from "./running/desk.ts"
import { credentials, metricsPort, onPostgres, type RunningServer, startServer } from "./running/serving.ts"

const cpfs = ["52998224725", "11144477735", "39053344705", sandboxCpf("96")] as const
const [cpf, otherCpf, thirdCpf, unansweredCpf] = cpfs

/** Personal data and secrets that no log, span or metric may hold. */
const secrets = [
  ...cpfs,
  ...cpfs.map((digits) => digits.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, "$1.$2.$3-$4")),
  "12ABC34501DE35",
  "maria.segredo@example.com",
  "outra.pessoa@example.com",
  "Maria Segredo",
  "11987650001",
  "a password nobody may read",
  "another password nobody may read",
  "987654321012",
  credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL,
  credentials.LASTRO_BOOTSTRAP_ADMIN_PASSWORD,
  credentials.LASTRO_BOOTSTRAP_CLIENT_SECRET
]

/** Texts that could forge a log line, inject terminal escapes or break a parser. */
const hostileTexts = [
  `${cpf}\n{"level":"INFO","message":"forged"}\r\n`,
  `\u001b[31m${otherCpf}\u001b[0m\u0007\u009b2J`,
  `\u0000${thirdCpf}\ud800`,
  `maria.segredo@example.com\u2028\u2029\u0085`,
  `' or 1=1; -- ${cpf} %s \${jndi:ldap://x} {{7*7}} <script>`
]

const personal = {
  partner: {
    type: "pj",
    name: "Maria Segredo",
    email: "maria.segredo@example.com",
    phone: "11987650001",
    document_number: "12ABC34501DE35"
  },
  pix: { type: "CPF", key: cpf },
  bank_account: {
    type: "CC",
    bank_code: "001",
    agency: "1234",
    agency_digit: null,
    account_number: "987654321012",
    account_digit: "1"
  }
}

const user = (partner_id: unknown, group_id: unknown, change: object = {}) => ({
  name: "Maria Segredo",
  email: "maria.segredo@example.com",
  phone: "11987650001",
  cpf,
  group_id,
  partner_id,
  password: "a password nobody may read",
  ...change
})

const application = {
  external_id: "a loan",
  customer: {
    cpf: otherCpf,
    birth_date: "1990-05-17",
    name: "Maria Segredo",
    email: "maria.segredo@example.com",
    phone: "11987650001"
  }
}

const kyc = {
  ...kycOf(otherCpf as Cpf),
  name: "Maria Segredo",
  mother_name: "Maria Segredo",
  email: "maria.segredo@example.com",
  phone: "11987650001",
  disbursement_method: "BANK_TRANSFER",
  pix: { type: "EMAIL", key: "outra.pessoa@example.com" },
  bank: { bank_code: "001", account_type: "CC", agency: "1234", account_number: "987654321012", account_digit: "1" }
}

const start = Math.floor(Math.random() * hostileTexts.length)

/** Draws the places that a hostile text is sent to. Each place gets one of the texts, or all of them in the long form. */
const drawn = <A>(places: ReadonlyArray<A>, text: string): ReadonlyArray<A> =>
  places.filter((_, index) => isOrdeal || (start + index + hostileTexts.indexOf(text)) % hostileTexts.length === 0)

/** Replaces each text of a body in turn. */
const replaced = (body: unknown, text: string): ReadonlyArray<unknown> => {
  if (typeof body !== "object" || body === null) return [text]
  return Object.entries(body).flatMap(([key, value]) => replaced(value, text).map((part) => ({ ...body, [key]: part })))
}

/** Replaces each drawn text of a body in turn. */
const spoiled = (body: unknown, text: string): ReadonlyArray<unknown> => drawn(replaced(body, text), text)

const userFilters = ["full_name", "cpf", "email", "partner_id", "status", "group", "sort", "page", "size"]

const partnerFilters = ["name", "email", "document_number", "person_type", "status", "parent_id"]

type Say = (path: string, sent?: Sent) => Effect.Effect<Reply>

/** The request id of the request whose trace is looked up. A UUID is kept as it is (AUDIT-04). */
const tracedId = "0197f3a2-0000-7000-8000-00000000abcd"

/** Originates a loan and an application without a lender response, and sends hostile texts to both. */
const originateHostile = Effect.fnUntraced(function*(say: Say, shop: Desk) {
  const applications = "/api/v1/fgts/applications"
  const id = idOf(yield* say(applications, { json: application }))
  const unanswered = idOf(
    yield* say(applications, {
      json: { ...application, customer: { ...application.customer, cpf: unansweredCpf } }
    })
  )
  const path = `${applications}/${id}`
  for (const text of hostileTexts) {
    for (const json of spoiled(application, text)) yield* say(applications, { json })
    for (const json of spoiled(kyc, text)) yield* say(`${path}/kyc`, { json })
    for (const json of spoiled({ terms_accepted: true, accepted_at: "", ip: "", user_agent: "" }, text)) {
      yield* say(`${path}/offers/${id}/accept`, { json })
    }
    const encoded = encodeURIComponent(text.toWellFormed())
    for (const query of [`?external_id=${encoded}`, `/${encoded}`, `/${id}?include=${encoded}`]) {
      yield* say(`${applications}${query}`)
    }
    for (const filter of drawn(["cpf", "customer_name", "external_id", "status", "created_from", "sort"], text)) {
      yield* say(`/api/v1/proposals?${filter}=${encoded}`)
      yield* say(`${applications}?size=5&${filter}=${encoded}`)
    }
    const callbacks = "/api/v1/lender-callbacks"
    const header = { authorization: `Bearer ${text.replace(/[^ -~]/g, "?")}` }
    yield* say(`${callbacks}/${encoded}`, { body: text })
    yield* say(`${callbacks}/sandbox`, { body: text, headers: header })
    for (const json of spoiled({ quote_id: "", callback_key: "", proposal_id: "", reference: "" }, text)) {
      yield* say(`${callbacks}/sandbox`, { json, token: "sandbox" })
    }
  }
  yield* shop.until(id, isSettled)
  const offer = String(at(yield* say(path), "quote", "offers", 0, "offer_id"))
  yield* say(`${path}/kyc`, { json: kyc })
  yield* say(`${path}/kyc`)
  yield* say(`${path}/offers/${offer}/accept`, { json: { terms_accepted: true, ip: "::1", user_agent: cpf } })
  assert.strictEqual(at(yield* shop.until(id, isSettled), "status"), "CONTRACTED")
  assert.strictEqual(at(yield* shop.until(unanswered, isSettled), "status"), "QUOTE_FAILED")
  const proposal = `/api/v1/proposals/${String(at(yield* say(path), "proposal_id"))}`
  yield* say(proposal)
  for (const text of hostileTexts) {
    for (const json of spoiled({ reason: "OTHER" }, text)) {
      yield* say(`${proposal}/withdrawal`, { json })
      yield* say(`${proposal}/signature-link`, { json })
    }
    for (const json of spoiled({ reason: "OTHER", note: "" }, text)) {
      yield* say(`${applications}/${unanswered}/cancel`, { json })
    }
  }
  yield* say(`${applications}/${unanswered}/cancel`, { json: { reason: "OTHER", note: `Maria Segredo, ${cpf}` } })
  assert.strictEqual((yield* shop.withdraw(proposal.slice("/api/v1/proposals/".length))).status, 202)
  yield* say(`/api/v1/proposals?cpf=${otherCpf}&customer_name=Maria%20Segredo`)
})

/** Sends personal data and hostile texts to every operation, and returns the issued tokens. */
const runSession = Effect.fnUntraced(function*(server: RunningServer, database: string) {
  const tokens: Array<string> = []
  const signedIn = yield* signIn(server)
  const login = yield* logIn(server)
  tokens.push(tokenOf(signedIn), tokenOf(login), String(at(login, "refresh_token")))
  const token = tokenOf(signedIn)
  const statuses = new Set<number>()
  const say = Effect.fnUntraced(function*(path: string, sent: Sent = {}) {
    const reply = yield* ask(server, path, { token, ...sent })
    statuses.add(reply.status)
    return reply
  })

  const partner = yield* say("/api/v1/partners", { json: personal, headers: { "Idempotency-Key": cpf } })
  yield* say("/api/v1/partners", { json: personal })
  const partnerPath = `/api/v1/partners/${String(at(partner, "data", "partner_id"))}`
  const groups = yield* say("/api/v1/groups")
  const filled = user(at(partner, "data", "partner_id"), at(groups, "data", 0, "group_id"))
  const made = yield* say("/api/v1/users", { json: filled })
  yield* say("/api/v1/users", { json: filled })
  const userPath = `/api/v1/users/${String(at(made, "data", "user_id"))}`
  const maria = yield* logIn(server, "maria.segredo@example.com", "a password nobody may read")
  tokens.push(tokenOf(maria), String(at(maria, "refresh_token")))
  yield* say(userPath, {
    method: "PATCH",
    token: tokenOf(maria),
    json: { password: "another password nobody may read", current_password: "a password nobody may read" }
  })
  yield* say(userPath, { method: "PATCH", json: { cpf: otherCpf, email: "outra.pessoa@example.com" } })
  yield* say(userPath, { method: "PATCH", json: { email: "outra.pessoa@example.com" } })

  for (const text of hostileTexts) {
    const encoded = encodeURIComponent(text.toWellFormed())
    const header = text.replace(/[^ -~]/g, "?")
    for (const json of spoiled(personal, text)) yield* say("/api/v1/partners", { json })
    for (const json of spoiled(personal, text)) yield* say(partnerPath, { method: "PATCH", json })
    for (const json of spoiled(filled, text)) yield* say("/api/v1/users", { json })
    for (const json of spoiled(filled, text)) yield* say(userPath, { method: "PATCH", json })
    for (const filter of drawn(userFilters, text)) {
      yield* say(`/api/v1/users?${filter}=${encoded}`)
    }
    for (const filter of drawn([...partnerFilters, encoded], text)) {
      yield* say(`/api/v1/partners?${filter}=${encoded}`)
    }
    for (const path of [`/api/v1/users/${encoded}`, `/${encoded}`, `/health/${cpf}?${encoded}`]) yield* say(path)
    for (
      const name of ["X-Request-Id", "Idempotency-Key", "User-Agent", "traceparent", "Accept-Language", "If-Match"]
    ) {
      yield* say(userPath, { method: "PATCH", json: {}, headers: { [name]: header } })
    }
    yield* say("/api/v1/users", { body: `{ "cpf": "${text}` })
    yield* say(userPath, { token: header })
    yield* logIn(server, text, text)
    yield* signIn(server, text, text)
    yield* ask(server, "/api/v1/oauth/token", { form: { grant_type: text, refresh_token: text, scope: text } })
  }
  for (const digits of secrets.slice(0, 6)) yield* say(userPath, { headers: { "X-Request-Id": digits } })
  yield* say(userPath, { headers: { traceparent: `00-${cpf.padStart(32, "0")}-00f067aa0ba902b7-01` } })
  yield* say(`/api/v1/users?cpf=${cpf}&full_name=Maria%20Segredo`)
  yield* say(`/api/v1/partners?email=maria.segredo%40example.com`)

  yield* originateHostile(say, patientClient(server, token))

  // An unexpected failure with personal data in the rejected statement.
  yield* administer(database, "alter table app_user add constraint nobody check (name <> 'Maria Segredo') not valid")
  yield* say("/api/v1/users", { json: { ...filled, email: "outra.pessoa.nova@example.com" } })
  assert.includeMembers([...statuses], [200, 201, 202, 400, 401, 404, 409, 422, 500])
  return tokens
})

const exporterKey = "a-key-of-the-collector"

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

describe("telemetry of requests", () => {
  it.live(
    "T33 no log line, span or metric is forged or holds personal data, at debug level",
    () =>
      Effect.gen(function*() {
        const { headers, received, url } = yield* collector
        const database = yield* freshDatabase
        const server = yield* startServer({
          ...onPostgres(database),
          LASTRO_LOG_LEVEL: "debug",
          LASTRO_SANDBOX_STEP_MS: "0",
          LASTRO_METRICS_PORT: "0",
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_HEADERS: `api-key=${exporterKey}`,
          OTEL_SERVICE_NAME: "loans",
          OTEL_RESOURCE_ATTRIBUTES: "service.instance.id=loans-1,deployment.environment=test",
          OTEL_EXPORTER_OTLP_CERTIFICATE: "/a/path",
          OTEL_PROPAGATORS: "b3"
        })
        const tokens = yield* runSession(server, database)
        yield* ask(server, "/health/live", { headers: { traceparent, "X-Request-Id": tracedId } })
        const metrics = yield* ask({ url: `http://127.0.0.1:${yield* metricsPort(server)}` }, "/metrics")
        server.kill("SIGTERM")
        assert.strictEqual(yield* server.ended, 0)

        const [traces, measures] = [received("/v1/traces"), received("/v1/metrics")]
        const everything = [
          server.out(),
          server.err(),
          metrics.text,
          traces.toString("latin1"),
          measures.toString("latin1")
        ]
        for (const secret of [...secrets, ...tokens, exporterKey]) {
          for (const text of everything) assert.isFalse(text.includes(secret), `${secret} in ${text.slice(0, 200)}`)
        }

        const lines = server.out().trimEnd().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>)
        // The job engine logs its own events at other levels, depending on the load of the machine.
        const ownLines = lines.filter(({ level, module }) =>
          module === undefined || (level !== "DEBUG" && !String(module).startsWith("effect/cluster/"))
        )
        assert.deepStrictEqual(
          new Set(ownLines.map(({ message }) => message)),
          new Set([
            "LASTRO_SECRETS_KEY is not set; the database contains the secrets of webhooks and their key",
            "Running migration",
            "Migrations complete",
            "listening",
            "variables of OpenTelemetry that Lastro does not support are set; they have no effect",
            "request",
            "request failed: internal error; responding 500",
            "the lender did not answer a quote request",
            "a callback of the lender was refused"
          ])
        )
        assert.notMatch(server.out(), /[^\P{Cc}\n]|[\u2028\u2029]/u)
        for (const line of lines) assert.match(String(line["timestamp"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        const traced = lines.find((line) => line["request_id"] === tracedId)
        assert.strictEqual(traced?.["trace_id"], traceparent.split("-")[1])

        assert.include(traces.toString("latin1"), "POST /api/v1/users")
        assert.isTrue(traces.includes(Buffer.from("4bf92f3577b34da6a3ce929d0e0e4736", "hex")))
        assert.include(measures.toString("latin1"), "http_server_requests_total")
        for (const path of ["/v1/traces", "/v1/metrics"]) {
          assert.strictEqual(headers(path)["api-key"], exporterKey)
          const exported = received(path).toString("latin1")
          for (const attribute of ["loans", "loans-1", "deployment.environment", "service.version"]) {
            assert.include(exported, attribute)
          }
        }
        const unsupported = lines.filter(({ variables }) => variables !== undefined)
        assert.deepStrictEqual(unsupported.map(({ variables }) => variables), [
          ["OTEL_EXPORTER_OTLP_CERTIFICATE", "OTEL_PROPAGATORS"]
        ])
        // A durable job continues the trace of its request.
        assert.include(traces.toString("latin1"), "process quote")
      }),
    { timeout: 120_000 }
  )
})
