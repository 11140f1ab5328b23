import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleProgram } from "../../../apps/server/src/program/bundleProgram.ts"
import { serverProject } from "../../../apps/server/src/program/Project.ts"
import { writeArtefact } from "../../../scripts/build/artefact.ts"
import { benchmark, shown, table, whole } from "../harness/benchmark.ts"
import { requestToken } from "../harness/callers.ts"
import { freshDatabase, server } from "../harness/database.ts"
import { generateLoad } from "../harness/load.ts"
import { type Program, residentMemory, type Served, startProgram } from "../harness/processes.ts"
import { ascending, median } from "../harness/statistics.ts"

/** The API client that the server creates at its first start. */
const client = { client_id: "bench", client_secret: "a-secret-for-measuring" }

/** The names of the programs with targets, and of the reference program. */
const [onServer, embedded, reference] = ["Lastro on PostgreSQL", "Lastro on PGlite", "Fastify and pg"] as const

/** The programs whose memory is measured under load. */
const loaded: ReadonlySet<string> = new Set([onServer, embedded, reference])

const source = join(import.meta.dirname, "../../../apps/server/src/main.ts")

/** The folder for the artefact: the bundled server, as it is released. */
const artefact = join(import.meta.dirname, "../../../.tmp/artefact")

const lastro = (name: string, env: Readonly<Record<string, string>>, file = source): Program => ({
  name,
  args: [file, "serve"],
  env: (port) => ({
    PORT: String(port),
    LASTRO_DEMO: "on",
    LASTRO_RATE_LIMIT: "off",
    LASTRO_BOOTSTRAP_CLIENT_ID: client.client_id,
    LASTRO_BOOTSTRAP_CLIENT_SECRET: client.client_secret,
    ...env
  }),
  ready: "/health/ready"
})

/** The programs that run on a new PostgreSQL database. The Fastify server lists data that Lastro has created. */
const onPostgres = (url: string) =>
  Effect.map(freshDatabase(url), (DATABASE_URL): ReadonlyArray<Program> => {
    const env = { DATABASE_URL, LASTRO_LENDER: "sandbox", LASTRO_ISSUER: "http://127.0.0.1" }
    return [
      lastro("Lastro on PostgreSQL, empty database", env),
      lastro(onServer, env),
      lastro("Lastro on PostgreSQL, artefact", env, join(artefact, "lastro.mjs")),
      {
        name: reference,
        args: [join(import.meta.dirname, "fastify.ts")],
        env: (port) => ({ PORT: String(port), DATABASE_URL }),
        ready: "/health/ready"
      }
    ]
  })

/** The programs that run on PGlite, in an empty folder. */
const onPglite = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-bench-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
).pipe(Effect.map((LASTRO_DATA_DIR): ReadonlyArray<Program> => [
  lastro("Lastro on PGlite, empty folder", { LASTRO_DATA_DIR }),
  lastro(embedded, { LASTRO_DATA_DIR })
]))

/** The measures of a start, in milliseconds and MiB. `peak` is the maximum memory until the end of the load. */
const measures = ["milliseconds", "cpu", "idle", "peak"] as const

interface LoadOptions {
  readonly perSecond: number
  readonly seconds: number
}

/** Measures the memory of a server after 4 s without requests, and the maximum memory after a steady load. */
const observeLoad = Effect.fnUntraced(function*({ name, pid, url }: Served, options: LoadOptions) {
  yield* Effect.sleep("4 seconds")
  const idle = residentMemory(pid)
  const grant = { grant_type: "client_credentials", ...client }
  const token = name === reference ? undefined : yield* requestToken(url, grant)
  const lanes = [[{ path: "/api/v1/users", token }]]
  yield* generateLoad({ url, connections: 16, lanes, ...options })
  return { idle, peak: residentMemory(pid, "VmHWM") }
})

/** Starts a program, measures its memory when idle and under load, and stops it. */
const observe = (program: Program, options: LoadOptions) =>
  Effect.scoped(Effect.gen(function*() {
    const served = yield* startProgram(program)
    const none = { idle: Number.NaN, peak: Number.NaN }
    const memory = loaded.has(program.name) ? yield* observeLoad(served, options) : none
    return { name: program.name, milliseconds: served.milliseconds, cpu: served.cpu, ...memory }
  }))

type Observed = Effect.Success<ReturnType<typeof observe>>

/** Computes the medians of each program, and their ratios to those of the Fastify server. */
const summarize = (observed: ReadonlyArray<Observed>) => {
  const valuesOf = (name: string, measure: typeof measures[number]) =>
    ascending(observed.filter((one) => one.name === name).map((one) => one[measure]))
  return [...new Set(observed.map(({ name }) => name))].map((name) => ({
    name,
    starts: valuesOf(name, "milliseconds"),
    medians: measures.map((measure) => median(valuesOf(name, measure))),
    ratios: measures.map((measure) => median(valuesOf(name, measure)) / median(valuesOf(reference, measure)))
  }))
}

const flags = {
  rounds: whole("rounds", 7, "Number of starts of each program"),
  perSecond: whole("per-second", 200, "Requests per second under load"),
  seconds: whole("seconds", 10, "Seconds of load")
}

/** Measures the time from the start of a process until it is ready, and its memory after that. */
export const start = benchmark(
  "start",
  "Measures the time from start to readiness, and memory, compared with Fastify and pg",
  flags,
  Effect.fnUntraced(function*({ rounds, ...load }) {
    yield* Effect.promise(() => bundleProgram(serverProject))
    yield* Effect.promise(() => writeArtefact(artefact))
    const places = [onPostgres(yield* server), onPglite]
    const observed: Array<Observed> = []
    for (let round = 0; round < rounds; round++) {
      for (const place of places) {
        yield* Effect.scoped(Effect.gen(function*() {
          for (const program of yield* place) observed.push(yield* observe(program, load))
        }))
      }
    }
    const summaries = summarize(observed)
    const head = ["ready", "processor time", "idle memory", "peak memory"].map((what) => `${what}, × Fastify`)
    const rows = summaries.map(({ medians, name, ratios, starts }) => [
      name,
      ...medians.map((value, index) => `${shown(value)}, ${shown(ratios[index] ?? Number.NaN, 1)}`),
      starts.map((value) => shown(value)).join(" ")
    ])
    return { lines: [table(["milliseconds and MiB", ...head, "all starts"], rows)], results: { summaries, observed } }
  })
)
