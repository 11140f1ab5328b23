import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { chown, copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { execute } from "../running/execute.ts"
import { root, type Running, running } from "../running/lastro.ts"
import { freePort } from "../running/machine.ts"
import { onPostgres, startServer } from "../running/serving.ts"
import { startLoad } from "./Load.ts"

// Runs failovers with the files of deploy/high-availability and the Debian packages patroni, etcd-server, haproxy and
// postgresql-15, all on this machine, as root: `node apps/server/test/failover/patroni.ts [COUNT]`. Patroni decides by itself.
// With `--hosts`, the nodes have both hosts in their URL instead of HAProxy.

const args = process.argv.slice(2)
const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 10)
const isDirect = args.includes("--hosts")

const write = (line: string): void => void process.stdout.write(`${line}\n`)

const asPostgres = (command: ReadonlyArray<string>) =>
  userInfo().uid === 0
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command]
    : [...command]

const run = ([command = "", ...rest]: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  running(command, rest, environment)

const query = (url: string, statement: string) => execute(url, [statement])

const patiently = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.eventually(Effect.tapError(effect, () => Effect.sleep("100 millis"))).pipe(
    Effect.timeout("2 minutes"),
    Effect.orDie
  )

/** Sends a request to a Patroni, which may be frozen. */
const request = (api: number, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${api}${path}`, { signal: AbortSignal.timeout(1_000) })

/** A server of PostgreSQL and its Patroni, in one process group. */
interface Member {
  readonly name: string
  readonly port: number
  readonly api: number
  process: Running
}

/** Signals a Patroni and its PostgreSQL, whose data is in a folder. */
const signalGroup = (folder: string, member: Pick<Member, "name" | "process">, signal: NodeJS.Signals) =>
  Effect.sync(() => {
    // PostgreSQL leaves the process group of Patroni.
    const all = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n")
    const postmaster = all.find((line) => line.includes(`/postgres -D ${folder}/${member.name} `))
    const pid = postmaster === undefined ? undefined : Number(postmaster.trim().split(" ")[0])
    const children = pid === undefined
      ? []
      : execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" }).split("\n").map(Number)
    for (const target of [-member.process.pid, ...pid === undefined ? [] : [pid], ...children]) {
      try {
        if (target !== 0) process.kill(target, signal)
      } catch {
        // The process has ended.
      }
    }
  })

const drill = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-patroni-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 20 }))
  )
  if (userInfo().uid === 0) {
    const uid = Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }))
    yield* Effect.promise(() => chown(folder, uid, uid))
  }
  const files = join(root, "deploy", "high-availability")
  for (const file of ["patroni.yml", "haproxy.cfg"]) {
    yield* Effect.promise(() => copyFile(join(files, file), join(folder, file)))
  }
  const [client, peer, listen] = [yield* freePort, yield* freePort, yield* freePort]
  const etcd = `http://127.0.0.1:${peer}`
  const etcdFlags = [
    "--data-dir",
    join(folder, "etcd"),
    "--listen-client-urls",
    `http://127.0.0.1:${client}`,
    "--advertise-client-urls",
    `http://127.0.0.1:${client}`,
    "--listen-peer-urls",
    etcd,
    "--initial-advertise-peer-urls",
    etcd,
    "--initial-cluster",
    `default=${etcd}`
  ]
  yield* run(["etcd", ...etcdFlags], {})

  const launch = Effect.fnUntraced(function*({ api, name, port }: Omit<Member, "process">) {
    const launched = yield* run(asPostgres(["patroni", join(folder, "patroni.yml")]), {
      PATH: `${process.env["PATH"] ?? ""}:/usr/bin`,
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${client}`,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${api}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${api}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, name),
      PATRONI_POSTGRESQL_BIN_DIR: "/usr/lib/postgresql/15/bin",
      PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
      PATRONI_SUPERUSER_USERNAME: "postgres",
      PATRONI_SUPERUSER_PASSWORD: "postgres",
      PATRONI_REPLICATION_USERNAME: "replicator",
      PATRONI_REPLICATION_PASSWORD: "replicator"
    })
    // The end of Patroni does not end PostgreSQL.
    yield* Effect.addFinalizer(() => signalGroup(folder, { name, process: launched }, "SIGKILL"))
    return launched
  })
  const members: Array<Member> = []
  for (const name of ["db1", "db2"]) {
    const place = { name, port: yield* freePort, api: yield* freePort }
    members.push({ ...place, process: yield* launch(place) })
    if (name === "db1") {
      yield* patiently(query(`postgres://postgres:postgres@127.0.0.1:${place.port}/postgres`, "select 1"))
    }
  }
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(",")
  const [first, second] = members
  if (first === undefined || second === undefined) return yield* Effect.die("two servers")
  yield* run(["/usr/sbin/haproxy", "-db", "-f", join(folder, "haproxy.cfg")], {
    HAPROXY_LISTEN: `127.0.0.1:${listen}`,
    DB1: `127.0.0.1:${first.port}`,
    DB1_API: String(first.api),
    DB2: `127.0.0.1:${second.port}`,
    DB2_API: String(second.api)
  })
  const superuser = (database: string) => `postgres://postgres:postgres@${hosts}/${database}`
  const writeLogs = Effect.sync(() => {
    for (const { name, process } of members) write(`${name}:\n${(process.out() + process.err()).slice(-8_000)}`)
  })
  // Patroni promotes only a standby that it has recorded as synchronous.
  const isSynchronous = patiently(Effect.filterOrFail(
    Effect.tryPromise(async () => {
      const responses = await Promise.all(members.map(({ api }) => request(api, "/synchronous")))
      return responses.some(({ status }) => status === 200)
    }),
    (isRecorded) => isRecorded
  )).pipe(Effect.onError(() => writeLogs))
  yield* isSynchronous
  yield* patiently(query(superuser("postgres"), "create role lastro login password 'lastro'"))
  yield* patiently(query(superuser("postgres"), "create database lastro owner lastro"))

  const address = isDirect ? hosts : `127.0.0.1:${listen}`
  const environment = onPostgres(`postgres://lastro:lastro@${address}/lastro`)
  const nodes = [yield* startServer(environment), yield* startServer(environment)]
  const load = yield* startLoad(nodes)
  const primaryOf = Effect.map(
    patiently(query(superuser("postgres"), "select inet_server_port() as port")),
    ([row]) => members.find(({ port }) => port === row?.["port"]) ?? first
  )
  let failed = 0
  const kinds = ["kill", "freeze", "switch over"] as const
  for (let index = 0; index < count; index++) {
    const kind = kinds[index % kinds.length]
    yield* isSynchronous
    const former = yield* primaryOf
    const began = performance.now()
    if (kind === "switch over") {
      const next = former === first ? second : first
      yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${former.api}/switchover`, {
          method: "POST",
          body: JSON.stringify({ leader: former.name, candidate: next.name })
        })
      )
    } else yield* signalGroup(folder, former, kind === "kill" ? "SIGKILL" : "SIGSTOP")
    const promoted = yield* Effect.gen(function*() {
      for (;;) {
        const present = former === first ? second : first
        const response = yield* Effect.option(Effect.tryPromise(() => request(present.api, "/primary")))
        if (response._tag === "Some" && response.value.status === 200) return performance.now()
        yield* Effect.sleep("50 millis")
      }
    }).pipe(Effect.timeout("2 minutes"), Effect.onError(() => writeLogs))
    const back = yield* Effect.forEach(nodes, (_, node) => load.backAfter(node, promoted), { concurrency: 2 })
    if (kind === "freeze") {
      yield* signalGroup(folder, former, "SIGCONT")
    } else if (kind === "kill") former.process = yield* launch(former)
    yield* load.quote.pipe(Effect.timeout("2 minutes"), Effect.onError(() => writeLogs))
    // Read before the stored records: a record that is acknowledged meanwhile is not lost.
    const seen = Array.from(load.seen)
    const stored = new Set(
      (yield* patiently(query(superuser("lastro"), "select id::text as id from partner"))).map(({ id }) => id)
    )
    const lost = seen.filter((id) => !stored.has(id)).length
    const times = back.map((time) => Math.round(time - promoted))
    if (lost > 0 || load.problems.length > 0 || times.some((ms) => ms > 5_000)) failed++
    write(
      `${kind}: promoted after ${Math.round(promoted - began)} ms, back ${times.join(" and ")} ms later; ` +
        `${load.acknowledged()} acknowledged so far, ${lost} lost, ${load.unavailable()} responses 503 so far`
    )
    for (const problem of load.problems) write(`  ${problem}`)
  }
  if (failed > 0) return yield* Effect.fail(`${failed} of ${count} failovers failed`)
  write(`Passed: ${count} failovers with ${isDirect ? "both hosts in the URL" : "HAProxy"}.`)
})

NodeRuntime.runMain(Effect.scoped(drill))
