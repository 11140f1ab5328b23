import { assert, describe, it } from "@effect/vitest"
import { PgDatabase } from "@lastro/adapters-sql"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import { Worker } from "node:worker_threads"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at, patiently, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { type Attack as Attacker } from "./running/attacker.ts"
import { applicationClient, idOf } from "./running/desk.ts"
import { runInProcess } from "./running/inProcess.ts"
import { onPostgres, type RunningServer, startServer } from "./running/serving.ts"

/** The largest allowed ratio between what a victim sees during an attack and before it. */
const mostRatio = 1.5

/** Shorter times, in milliseconds, count as this time: it is a time slice of the scheduler of a machine with two cores. */
const leastMs = 4

/**
 * The same for the 99th percentile of a request of a few milliseconds. An unlucky one waits for four time slices, on its way
 * through three programs and back.
 */
const leastUnluckyMs = 4 * leastMs

/** Number of measurements of an attack. The best of them counts, because a pause of the machine delays some. */
const attempts = 5

/** The time that the lender takes for a usual quote, in milliseconds. It outweighs the work of the server. */
const usualMs = 1_000

const isBad = (cpf: string): boolean => cpf.endsWith("01")
const isSlow = (cpf: string): boolean => cpf.endsWith("02")

const readText = async (request: AsyncIterable<unknown>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

/** Serves a lender that fails for bad CPFs, and that takes longer for slow ones. */
const startLender: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function*() {
  const usual = yield* recordingLenderServer()
  let calls = 0
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await readText(request)
      const cpf = String(Object(Object(JSON.parse(body)).customer).cpf)
      if (isBad(cpf)) return void response.writeHead(500).end()
      // The calls of an attacker do not end all at once.
      await new Promise((resolve) => setTimeout(resolve, isSlow(cpf) ? usualMs + 50 * (calls++ % 20) : usualMs))
      const json = body.replaceAll(cpf, sandboxCpf("00"))
      const headers = { "content-type": "application/json", "lastro-lender-protocol": "2" }
      const answered = await fetch(`${usual.url}${request.url}`, { method: "POST", body: json, headers })
      response.writeHead(answered.status, headers).end(await answered.text())
    }
    answer().catch(() => response.destroy())
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
})

/** A tenant with several API clients. */
interface Tenant {
  readonly client_id: string
  readonly client_secret: string
  readonly tokens: ReadonlyArray<string>
}

let customers = 0

/** Measures the milliseconds of each run of a victim. */
const measure = ({ count, lanes = 1, victim }: Attack) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.gen(function*() {
      const begun = performance.now()
      yield* victim
      return performance.now() - begun
    }), { concurrency: lanes })

const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? 0

const figures = (values: ReadonlyArray<number>): string =>
  `p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms`

const succeed = (request: Effect.Effect<Reply>) =>
  Effect.map(request, (reply) => {
    assert.isBelow(reply.status, 300, reply.text)
    return reply
  })

/** Opens an application and waits until its quote is answered. */
const quote = (server: RunningServer, token: string) =>
  Effect.gen(function*() {
    const desk = applicationClient(server, token)
    const opened = yield* succeed(desk.open(sandboxCpf("00", ++customers)))
    const answered = yield* desk.until(idOf(opened), (status) => at(status, "status") !== "QUOTING")
    assert.strictEqual(at(answered, "status"), "QUOTED")
  })

/** Opens applications of customers whose CPFs end in these digits. */
const openMany = (server: RunningServer, { tokens }: Tenant, digits: string, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) =>
      Effect.suspend(() =>
        succeed(
          patiently(
            applicationClient(server, tokens[index % tokens.length] ?? "").open(sandboxCpf(digits, ++customers))
          )
        )
      ),
    { concurrency: 8, discard: true }
  )

/** Starts a server with a tenant that attacks and a tenant that is the victim. */
const serving = Effect.gen(function*() {
  const url = yield* migratedDatabase
  const environment = {
    ...onPostgres(url),
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: yield* startLender,
    // The victim and the attackers send more than the limits of one caller. `off` would also end the limits of a network.
    LASTRO_RATE_LIMIT: "100000:100000",
    LASTRO_TOKEN_RATE_LIMIT: "off"
  }
  const run = (...args: ReadonlyArray<string>) =>
    Effect.map(runInProcess(args, environment), ({ ending, err, out }) => {
      assert.strictEqual(ending, 0, err)
      return out
    })
  // A list of these partners is costly: it examines more than 8 000 of them.
  yield* run("seed", "--partners", "9000", "--users", "1")
  const victimRoot = yield* run(
    "partners",
    "create-root",
    "--type",
    "pj",
    "--name",
    "Victim",
    "--email",
    "victim@example.com",
    "--phone",
    "1133334444",
    "--document",
    "11222333000181"
  )
  const sql = Context.get(yield* Layer.build(PgDatabase.layer({ url: Redacted.make(url) })), SqlClient.SqlClient)
  const [attackerRoot] = yield* Effect.orDie(
    sql<{ readonly id: string }>`select id from partner where parent_id is null and email <> 'victim@example.com'`
  )
  const server = yield* startServer(environment)
  const tenantOf = Effect.fnUntraced(function*(root: string, clients: number) {
    const printed = yield* run("clients", "create", "--partner", root, "--group", "admin")
    const [, client_id = ""] = /client_id\s+(\S+)/.exec(printed) ?? []
    const [, client_secret = ""] = /client_secret\s+(\S+)/.exec(printed) ?? []
    const ids = [client_id, ...Array.from({ length: clients - 1 }, (_, index) => `${client_id}-${index}`)]
    yield* Effect.orDie(sql`
      insert into api_client (client_id, partner_id, group_id, secret_hash, credentials_version, created_at)
      select copied.id, partner_id, group_id, secret_hash, credentials_version, created_at
      from api_client, unnest(${ids.slice(1)}::text[]) as copied (id) where client_id = ${client_id}`)
    const tokens = yield* Effect.forEach(ids, (id) => Effect.map(signIn(server, id, client_secret), tokenOf))
    return { client_id, client_secret, tokens } satisfies Tenant
  })
  const attacker = yield* tenantOf(attackerRoot?.id ?? "", 16)
  const victim = yield* tenantOf(victimRoot.split("\t")[0] ?? "", 1)
  return { server, attacker, victim }
})

/** An attack, and what a victim does meanwhile. */
interface Attack {
  readonly name: string
  /** Begins the attack, which lasts until the scope closes. */
  readonly begin: Effect.Effect<unknown, never, Scope.Scope>
  readonly victim: Effect.Effect<unknown>
  /** Number of times that the victim acts in a measurement. */
  readonly count: number
  /** Number of these acts at a time. Default: 1. */
  readonly lanes?: number
  /** True if the victim waits neither for the lender nor for a password hash. */
  readonly isShort?: true
}

/**
 * Attacks a server until the scope closes. The attacker has a thread of its own, because it must not delay the victim
 * other than through the server. Waits until the attack has begun.
 */
const attack = (workerData: Attacker) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<Worker>((resolve, reject) => {
        const worker = new Worker(new URL("./running/attacker.ts", import.meta.url), { workerData })
        worker.once("message", () => resolve(worker)).once("error", reject)
      })
    ),
    (worker) => Effect.promise(() => worker.terminate())
  )

const pipelined = (path: string): string => `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(500)

const attacksOn = ({ attacker, server, victim }: Effect.Success<typeof serving>): ReadonlyArray<Attack> => {
  const token = victim.tokens[0] ?? ""
  const forged = (client_secret: string) =>
    ask(server, "/api/v1/oauth/token", {
      form: { grant_type: "client_credentials", client_id: victim.client_id, client_secret },
      headers: { "x-forwarded-for": "198.51.100.1" }
    })
  const { url } = server
  return [
    {
      name: "four connections that send 500 pipelined HEAD /docs, again and again",
      begin: attack({ url, connections: 4, text: pipelined("/docs") }),
      victim: succeed(ask(server, "/health/ready")),
      count: 60,
      isShort: true
    },
    {
      name: "four connections that send 500 pipelined HEAD /health/ready, which has no limit, again and again",
      begin: attack({ url, connections: 4, text: pipelined("/health/ready") }),
      victim: succeed(ask(server, "/health/ready")),
      count: 60,
      isShort: true
    },
    {
      name: "12 applications for which the lender fails, again and again",
      begin: Effect.andThen(
        openMany(server, attacker, "01", 12),
        Effect.forkScoped(
          Effect.forever(Effect.andThen(Effect.sleep("1 second"), openMany(server, attacker, "01", 6)))
        )
      ),
      victim: quote(server, token),
      count: 8,
      lanes: 2
    },
    {
      name: "200 applications with slow quotes",
      begin: openMany(server, attacker, "02", 200),
      victim: quote(server, token),
      count: 8,
      lanes: 2
    },
    {
      name: "16 callers that loop costly lists",
      begin: attack({ url, path: "/api/v1/partners?name=a&sort=email&size=100", tokens: attacker.tokens }),
      victim: succeed(ask(server, "/api/v1/partners", { token })),
      count: 200,
      isShort: true
    },
    {
      name: "five wrong secrets of the victim behind a proxy that is not listed",
      begin: Effect.replicateEffect(forged("wrong"), 5),
      victim: succeed(forged(victim.client_secret)),
      count: 60
    }
  ]
}

describe("two tenants of a server", () => {
  it.live(
    "T62 a victim sees at most half as much again of everything while another tenant attacks",
    () =>
      Effect.gen(function*() {
        const tenants = yield* serving
        const missed: Array<string> = []
        for (const one of attacksOn(tenants)) {
          const { begin, isShort, name } = one
          let best = Infinity
          for (let attempt = 0; attempt < attempts && best > mostRatio; attempt++) {
            const before = yield* measure(one)
            const during = yield* Effect.scoped(Effect.andThen(begin, measure(one)))
            process.stdout.write(`${name}: before ${figures(before)}; during ${figures(during)}\n`)
            const ratioOf = (part: number, least: number) =>
              percentile(during, part) / Math.max(percentile(before, part), least)
            const ratios = [ratioOf(0.5, leastMs), ratioOf(0.99, isShort === true ? leastUnluckyMs : leastMs)]
            best = Math.min(best, Math.max(...ratios))
          }
          if (best > mostRatio) missed.push(`${name}: ${best.toFixed(2)}`)
        }
        assert.deepStrictEqual(missed, [])
        const ready = yield* ask(tenants.server, "/health/ready")
        assert.deepStrictEqual([ready.status, at(ready, "alarms")], [200, ["UNTRUSTED_PROXY"]])
      }),
    300_000
  )
})
