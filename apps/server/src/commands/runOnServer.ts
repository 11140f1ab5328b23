import { version } from "@lastro/adapters-http"
import { FolderInUse } from "@lastro/adapters-sql"
import { type Cause, Console, Effect, Option, Queue, Schema } from "effect"
import { connect, type Socket } from "node:net"
import { administration } from "./administration.ts"
import { CommandFrame, type CommandRequest, findSafeSocket, onLines } from "./commandSocket.ts"
import { OperatorTerminal } from "./OperatorTerminal.ts"
import { EndedOnServer, failUnavailable } from "./refused.ts"

/** Maximum time without a line from the server. A long statement of the embedded database blocks the server. */
const longestSilence = "5 minutes"

/** Maximum number of unprinted lines. Above it, reading pauses. */
const mostWaiting = 1_000

/** Maximum length of a line from the server, in characters. */
const longestLine = 256 * 1024 * 1024

const decodeFrame = Schema.decodeUnknownOption(Schema.fromJsonString(CommandFrame))

/** The first words of the commands that a server runs for other processes. */
const remoteNames: ReadonlySet<string> = new Set(administration.map(({ name }) => name))

/** Connects to a socket until the scope closes. Undefined if no process listens. */
const connection = (path: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket | undefined>((resume) => {
      const socket = connect(path)
      socket.once("connect", () => resume(Effect.succeed(socket)))
      socket.on("error", () => resume(Effect.succeed(undefined)))
    }),
    (socket) => Effect.sync(() => socket?.destroy())
  )

/**
 * Runs a command in the server that holds the data folder, and prints its output. Returns false if there is no such
 * server.
 */
const runRemotely = Effect.fnUntraced(function*(folder: string, args: ReadonlyArray<string>) {
  const path = yield* Effect.promise(() => findSafeSocket(folder))
  const socket = path === undefined ? undefined : yield* connection(path)
  if (socket === undefined) return false
  const { ask, clearStep, isScreen, isWatched, showStep } = yield* OperatorTerminal
  const lines = yield* Queue.unbounded<string, Cause.Done>()
  onLines(socket, longestLine, (line) => {
    Queue.offerUnsafe(lines, line)
    if (Queue.sizeUnsafe(lines) >= mostWaiting) socket.pause()
  })
  socket.once("close", () => Queue.endUnsafe(lines))
  const send = (value: object) => Effect.sync(() => socket.write(`${JSON.stringify(value)}\n`))
  const request: CommandRequest = { version, args, answers: ask !== undefined, steps: isWatched, screen: isScreen }
  yield* send(request)
  while (true) {
    const line = yield* Queue.take(lines).pipe(
      Effect.timeoutOption(longestSilence),
      Effect.catchTag("Done", () =>
        failUnavailable(
          "The server closed the connection before the command ended. It stopped, or it has too many connections. Run " +
            "the command again."
        ))
    )
    if (socket.isPaused()) socket.resume()
    const frame = Option.flatMap(line, decodeFrame)
    if (Option.isNone(frame)) {
      return yield* failUnavailable("The server does not respond. The command may have ended. Check its result.")
    }
    const { value } = frame
    if ("out" in value) yield* Console.log(value.out)
    else if ("err" in value) yield* Console.error(value.err)
    else if ("step" in value) yield* (value.step === "" ? clearStep : showStep(value.step))
    else if ("ask" in value) yield* send({ yes: ask !== undefined && (yield* ask(value.ask)) })
    else if ("exit" in value) {
      if (value.exit !== 0) return yield* new EndedOnServer({ exit: value.exit })
      return true
    }
  }
}, Effect.scoped)

/** Runs a command. If a server holds the data folder, that server runs it, with the same output and exit code. */
export const runOrForward = <A, E, R>(command: Effect.Effect<A, E, R>, args: ReadonlyArray<string>) =>
  Effect.catchIf(
    command,
    (error): error is E & FolderInUse => error instanceof FolderInUse && remoteNames.has(args[0] ?? ""),
    (inUse) => Effect.flatMap(runRemotely(inUse.folder, args), (hasRun) => hasRun ? Effect.void : Effect.fail(inUse))
  )
