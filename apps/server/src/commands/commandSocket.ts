import { Schema } from "effect"
import { lstat, mkdtemp, readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises"
import { type Socket } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

/** The command that a client sends to the server that holds the data folder, as one line of JSON. */
export const CommandRequest = Schema.Struct({
  version: Schema.String,
  args: Schema.Array(Schema.String),
  /** True if a person can answer a question. */
  answers: Schema.Boolean,
  /** True if a person reads standard error. The server then sends the steps of a slow command. */
  steps: Schema.Boolean,
  /** True if a person reads standard output on a terminal. Absent from earlier versions. Default: false. */
  screen: Schema.optionalKey(Schema.Boolean)
})
export type CommandRequest = typeof CommandRequest.Type

/**
 * A line from the server. `ask` is a question, an empty `step` removes the current step, and `alive` keeps the
 * connection open.
 */
export const CommandFrame = Schema.Union([
  Schema.Struct({ out: Schema.String }),
  Schema.Struct({ err: Schema.String }),
  Schema.Struct({ step: Schema.String }),
  Schema.Struct({ ask: Schema.String }),
  Schema.Struct({ alive: Schema.Literal(true) }),
  Schema.Struct({ exit: Schema.Int })
])
export type CommandFrame = typeof CommandFrame.Type

/** The answer of the person to a question. */
export const CommandAnswer = Schema.Struct({ yes: Schema.Boolean })

/** Maximum length of the path of a socket in bytes: 107 on Linux, 103 on macOS. */
const longestPath = 103

const fits = (path: string): boolean => Buffer.byteLength(path) <= longestPath

/**
 * The file in the data folder that contains the path of the socket, if the socket is elsewhere. A path in the data
 * folder can be too long for a socket.
 */
const pointerIn = (folder: string): string => join(resolve(folder), "socket.path")

/**
 * Returns the path for a server's socket: in the data folder, or in a new private folder if that path is too long.
 * Removes the files that a killed server left. Returns undefined if no path is short enough.
 */
export const makeSocketPath = async (folder: string): Promise<string | undefined> => {
  await removeSocket(folder)
  const path = join(resolve(folder), "socket")
  if (fits(path)) return path
  if (!fits(join(tmpdir(), "lastro-XXXXXX", "socket"))) return undefined
  // `mkdtemp` creates the folder with mode 0700.
  const short = join(await mkdtemp(join(tmpdir(), "lastro-")), "socket")
  await writeFile(pointerIn(folder), short, { mode: 0o600 })
  return short
}

/** Returns the path of the socket of the server that holds a data folder. */
const findSocketPath = async (folder: string): Promise<string> => {
  const path = join(resolve(folder), "socket")
  return fits(path) ? path : readFile(pointerIn(folder), "utf8").catch(() => path)
}

/** Removes the socket of a data folder. Also removes its private folder, if that has no other file. */
export const removeSocket = async (folder: string): Promise<void> => {
  const path = await findSocketPath(folder)
  await rm(path, { force: true })
  if (dirname(path) !== resolve(folder)) await rmdir(dirname(path)).catch(() => undefined)
  await rm(pointerIn(folder), { force: true })
}

/**
 * Returns the path of the socket of a data folder. Undefined if it is not a socket, belongs to another user, or is
 * reachable by other users.
 */
export const findSafeSocket = async (folder: string): Promise<string | undefined> => {
  const path = await findSocketPath(folder)
  try {
    const [socket, parent] = await Promise.all([lstat(path), realpath(dirname(path)).then((parent) => lstat(parent))])
    const user = process.getuid?.()
    const isPrivate = [socket, parent].every(({ mode, uid }) => uid === user && (mode & 0o077) === 0)
    return socket.isSocket() && isPrivate ? path : undefined
  } catch {
    return undefined
  }
}

/** Calls `use` with each line. Destroys the socket if an unfinished line is longer than `limit` characters. */
export const onLines = (socket: Socket, limit: number, use: (line: string) => void): void => {
  let parts: Array<string> = []
  let length = 0
  socket.setEncoding("utf8").on("data", (text: string) => {
    const pieces = text.split("\n")
    for (const [index, part] of pieces.entries()) {
      if (index > 0) {
        use(parts.join(""))
        parts = []
        length = 0
      }
      parts.push(part)
      length += part.length
    }
    if (length > limit) socket.destroy()
  })
}
