import { Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import { chown, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { emptyFolder, freePort } from "../running/machine.ts"

/** The user id of `nobody`. PgBouncer refuses to run as root. */
const nobody = 65_534

const accepts = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = connect(port, "127.0.0.1")
    const end = (isOpen: boolean) => () => {
      socket.destroy()
      resume(Effect.succeed(isOpen))
    }
    socket.once("connect", end(true)).once("error", end(false))
  })

/** A running PgBouncer. */
export interface PgBouncer {
  readonly port: number
  /** Adds settings to the file, and makes PgBouncer read it again. */
  readonly change: (settings: Settings) => Effect.Effect<void>
}

type Settings = Readonly<Record<string, string>>

/**
 * Starts PgBouncer in front of a PostgreSQL on 127.0.0.1. The program is `pgbouncer`, or that in the variable
 * PGBOUNCER. Ends it with the scope.
 */
export const startPgBouncer = (
  server: number,
  settings: Settings
): Effect.Effect<PgBouncer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const folder = yield* emptyFolder
    const textOf = (changed: Settings) => {
      const lines = Object.entries({
        listen_addr: "127.0.0.1",
        listen_port: String(port),
        unix_socket_dir: "",
        auth_type: "any",
        max_client_conn: "100",
        ...settings,
        ...changed
      }).map(([name, value]) => `${name} = ${value}`)
      return `[databases]\n* = host=127.0.0.1 port=${server} user=postgres\n[pgbouncer]\n${lines.join("\n")}\n`
    }
    const file = join(folder, "pgbouncer.ini")
    const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
    yield* Effect.promise(async () => {
      await writeFile(file, textOf({}))
      if (user.uid !== undefined) {
        await chown(folder, user.uid, user.gid)
        await chown(file, user.uid, user.gid)
      }
    })
    let log = ""
    const running = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(process.env["PGBOUNCER"] ?? "pgbouncer", [file], {
          ...user,
          stdio: ["ignore", "pipe", "pipe"]
        })
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => log += text.toString())
        child.on("error", (error) => log += error.message)
        return child
      }),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    yield* Effect.repeat(Effect.delay(accepts(port), "50 millis"), { until: (isOpen) => isOpen, times: 100 })
    if (!(yield* accepts(port))) return yield* Effect.die(new Error(`PgBouncer did not start: ${log}`))
    return {
      port,
      change: (changed) =>
        Effect.promise(async () => {
          await writeFile(file, textOf(changed))
          running.kill("SIGHUP")
        })
    }
  })
