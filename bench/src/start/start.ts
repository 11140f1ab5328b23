import { Effect } from "effect"
import { join } from "node:path"
import { bundleProgram } from "../../../apps/server/src/program/bundleProgram.ts"
import { serverProject } from "../../../apps/server/src/program/Project.ts"
import { emptyFolder } from "../../../apps/server/test/running/machine.ts"
import { writeArtefact } from "../../../scripts/build/artefact.ts"
import { benchmark, shown, table, whole } from "../harness/benchmark.ts"
import { main, requestToken } from "../harness/callers.ts"
import { freshDatabase, server } from "../harness/database.ts"
import { generateLoad } from "../harness/load.ts"
import { type Program, residentMemory, startProgram } from "../harness/processes.ts"
import { median } from "../harness/statistics.ts"

/** The API client that the server creates at its first start. */
const client = { client_id: "bench", client_secret: "a-secret-for-measuring" }

/** The names of the programs with targets, and of the reference program. */
const [onServer, embedded, reference] = ["Lastro on PostgreSQL", "Lastro on PGlite", "Fastify and pg"] as const

/** The programs whose memory is measured under load. */
const loaded: ReadonlySet<string> = new Set([onServer, embedded, reference])

/** The folder for the artefact: the bundled server, as it is released. */
const artefact = join(import.meta.dirname, "../../../.tmp/artefact")

const lastro = (name: string, env: Readonly<Record<string, string>>, file = main): Program => ({
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
const onPglite = Effect.map(emptyFolder, (LASTRO_DATA_DIR): ReadonlyArray<Program> => [
  lastro("Lastro on PGlite, empty folder", { LASTRO_DATA_DIR }),
  lastro(embedded, { LASTRO_DATA_DIR })
])

/** The measures of a start, in milliseconds and MiB. `peak` is the maximum memory until the end of the load. */
const measures = ["milliseconds", "cpu", "idle", "peak"] as const

/**
 * Starts a program, and stops it. Of a loaded program, also measures the memory after 4 s without requests, and the
 * maximum memory after a steady load.
 */
const observe = (program: Program, load: { readonly perSecond: number; readonly seconds: number }) =>
  Effect.scoped(Effect.gen(function*() {
    const { cpu, milliseconds, name, pid, url } = yield* startProgram(program)
    if (!loaded.has(name)) return { name, milliseconds, cpu, idle: Number.NaN, peak: Number.NaN }
    yield* Effect.sleep("4 seconds")
    const idle = residentMemory(pid)
    const grant = { grant_type: "client_credentials", ...client }
    const token = name === reference ? undefined : yield* requestToken(url, grant)
    yield* generateLoad({ url, connections: 16, lanes: [[{ path: "/api/v1/users", token }]], ...load })
    return { name, milliseconds, cpu, idle, peak: residentMemory(pid, "VmHWM") }
  }))

type Observed = Effect.Success<ReturnType<typeof observe>>

/** Computes the medians of each program, and their ratios to those of the Fastify server. */
const summarize = (observed: ReadonlyArray<Observed>) => {
  const mediansOf = (name: string) =>
    measures.map((measure) => median(observed.filter((start) => start.name === name).map((start) => start[measure])))
  const ofReference = mediansOf(reference)
  return [...new Set(observed.map(({ name }) => name))].map((name) => {
    const medians = mediansOf(name)
    return { name, medians, ratios: medians.map((value, index) => value / ofReference[index]!) }
  })
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
    const rows = summaries.map(({ medians, name, ratios }) => [
      name,
      ...medians.map((value, index) => `${shown(value)}, ${shown(ratios[index]!, 1)}`)
    ])
    return { lines: [table(["milliseconds and MiB", ...head], rows)], results: { summaries, observed } }
  })
)
