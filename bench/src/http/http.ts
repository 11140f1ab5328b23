import { Console, Effect } from "effect"
import { join } from "node:path"
import { median } from "../measure/quantile.ts"
import { host } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { asEach } from "../server/Ask.ts"
import { shoot, type Shot } from "../server/shoot.ts"
import { freePort, type Served, startServer } from "../server/startServer.ts"
import { reader } from "./reader.ts"
import { record } from "./Recorded.ts"

/** Number of runs, and their length in seconds. */
export interface HttpOptions {
  readonly runs: number
  readonly seconds: number
}

const program = (name: string) => join(import.meta.dirname, name)

const startMemory = Effect.gen(function*() {
  const port = yield* freePort
  return yield* startServer({
    name: "Lastro over memory",
    port,
    args: [program("memoryServer.ts")],
    env: {
      PORT: String(port),
      LASTRO_ISSUER: `http://127.0.0.1:${port}`,
      LASTRO_LENDER: "sandbox",
      LASTRO_RATE_LIMIT: "off"
    },
    ready: "/health/ready"
  })
})

const startRaw = (recorded: object) =>
  Effect.flatMap(freePort, (port) =>
    startServer({
      name: "node:http",
      port,
      args: [program("rawServer.ts")],
      env: { PORT: String(port), RECORDED: JSON.stringify(recorded) },
      ready: "/"
    }))

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const jsonOf = (request: Promise<Response>): Promise<unknown> => request.then((reply) => reply.json())

/** Signs the reader in. Returns the token, and the path of the reader's partner. */
const signIn = async (server: string) => {
  const body = new URLSearchParams({ grant_type: "password", username: reader.email, password: reader.password })
  const issued = await jsonOf(fetch(`${server}/api/v1/oauth/token`, { method: "POST", body }))
  const token = String(memberOf(issued, "access_token"))
  const me = await jsonOf(fetch(`${server}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } }))
  return { token, partner: `/api/v1/partners/${String(memberOf(memberOf(me, "data") ?? me, "partner_id"))}` }
}

/**
 * Maximum processor time of a request in milliseconds. With a database, the maximum for `partner by id` is 0.28 ms,
 * because the database client needs the other 0.14 ms.
 */
const targets = { "/health/live": 0.06, "partner by id": 0.14 }

const connections = 16

/**
 * Seconds of load before the first run. V8 has completely compiled the pipeline of an operation only after about 40 000
 * requests.
 */
const warmUp = 15

/** The processor times of a request in each run, on both servers. */
interface Measured {
  readonly operation: string
  readonly target: number
  readonly lastro: ReadonlyArray<Shot>
  readonly raw: ReadonlyArray<Shot>
}

const cpuOf = (shots: ReadonlyArray<Shot>): number => median(shots.map(({ serverCpu = Number.NaN }) => serverCpu))

const row = ({ lastro, operation, raw, target }: Measured) => [
  operation,
  cpuOf(lastro).toFixed(3),
  cpuOf(raw).toFixed(3),
  target.toFixed(2),
  cpuOf(lastro) <= target ? "yes" : "no",
  median(lastro.map(({ perSecond }) => perSecond)).toFixed(0),
  median(raw.map(({ perSecond }) => perSecond)).toFixed(0)
]

const head = ["operation", "Lastro, ms", "node:http, ms", "target", "met", "Lastro/s", "node:http/s"]

/**
 * Measures the processor time of the HTTP pipeline. Lastro runs with the in-memory ports. It takes turns with a bare
 * server that only repeats Lastro's recorded responses.
 */
export const http = Effect.fn("http")(function*({ runs, seconds }: HttpOptions) {
  const lastro = yield* startMemory
  const { partner, token } = yield* Effect.promise(() => signIn(lastro.url))
  const operations = [["/health/live", "/health/live"], ["partner by id", partner]] as const
  const recorded = yield* Effect.promise(() =>
    Promise.all(operations.map(([, path]) => record(lastro.url, path, token)))
  )
  const raw = yield* startRaw(recorded)
  const before = host()
  const measured: Array<Measured> = []
  for (const [operation, path] of operations) {
    const run = (server: Served, length: number) =>
      shoot(server, { url: server.url, connections, seconds: length, lanes: [asEach(path, [token])] }, undefined)
    const shots = { lastro: new Array<Shot>(), raw: new Array<Shot>() }
    yield* run(lastro, warmUp)
    yield* run(raw, 3)
    for (let count = 0; count < runs; count++) {
      shots.lastro.push(yield* run(lastro, seconds))
      shots.raw.push(yield* run(raw, seconds))
    }
    measured.push({ operation, target: targets[operation], ...shots })
  }
  const after = host()
  yield* Console.log(table(head, measured.map(row)))
  const file = yield* writeResults("http", {
    bench: "http",
    options: { runs, seconds },
    machine: after,
    load: { before: before.load, after: after.load },
    measured
  })
  yield* Console.log(
    `${after.cpu}, ${after.cores} cores; Node ${after.node}; ` +
      `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
  )
}, Effect.scoped)
