import { version } from "@lastro/adapters-http"
import {
  Console,
  type Context,
  Data,
  Duration,
  Effect,
  Exit,
  FiberSet,
  Layer,
  Option,
  Predicate,
  Queue,
  Schema,
  type Scope
} from "effect"
import { chmod } from "node:fs/promises"
import { createServer, type Server, type Socket } from "node:net"
import { format } from "node:util"
import { type Environment } from "../settings/readers.ts"
import { administrationTree } from "./administration.ts"
import {
  CommandAnswer,
  type CommandFrame,
  CommandRequest,
  makeSocketPath,
  onLines,
  removeSocket
} from "./commandSocket.ts"
import { exitCodeOf, exitCodes, failureText } from "./exitCodes.ts"
import { OperatorTerminal, type Terminal } from "./OperatorTerminal.ts"
import { runCommand } from "./runCommand.ts"
import { CommandEnvironment, type CommandPorts, RunningNode } from "./withPorts.ts"

/** The limits of the commands that a server runs for other processes. */
const limits = {
  /** Maximum number of connections. The server closes any further one at once. */
  connections: 16,
  /** Maximum number of commands at the same time. */
  commands: 4,
  /** Maximum length of a line from a client, in characters. */
  line: 65_536,
  /** Maximum number of bytes that a client has not read yet. */
  unread: 64 * 1024 * 1024,
  /** Maximum time for a client to send its command. */
  request: Duration.seconds(5),
  /** Maximum time for the answer to a question. */
  answer: Duration.minutes(5),
  /** Maximum time of a command. */
  run: Duration.hours(1),
  /** Maximum time for a client to read the last lines. */
  end: Duration.seconds(30),
  /** Time between two keep-alive frames. */
  alive: Duration.seconds(10)
} as const

const decodeRequest = Schema.decodeUnknownOption(Schema.fromJsonString(CommandRequest))
const decodeAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(CommandAnswer))

/** Sends a frame. Closes the connection of a client that does not read. */
const sendTo = (socket: Socket) => (frame: CommandFrame): void => {
  if (socket.destroyed || socket.writableEnded) return
  socket.write(`${JSON.stringify(frame)}\n`)
  if (socket.writableLength > limits.unread) socket.destroy()
}

type Send = ReturnType<typeof sendTo>

/** A console that sends each line to the client. */
const consoleOf = (send: Send): Console.Console => {
  const out = (...parts: ReadonlyArray<unknown>) => send({ out: format(...parts) })
  const err = (...parts: ReadonlyArray<unknown>) => send({ err: format(...parts) })
  return Object.assign(Object.create(console), { log: out, info: out, debug: out, error: err, warn: err })
}

/** If the send buffer is full, waits until the client has read it, or has closed the connection. */
const drained = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    if (!socket.writableNeedDrain || socket.destroyed) return resume(Effect.void)
    const end = () => resume(Effect.void)
    socket.once("drain", end).once("close", end)
    return Effect.sync(() => socket.off("drain", end).off("close", end))
  })

const terminalOf = (
  { answers, screen = false, steps }: CommandRequest,
  send: Send,
  lines: Queue.Dequeue<string>,
  socket: Socket
): Terminal => {
  const ask = Effect.fnUntraced(function*(question: string) {
    send({ ask: question })
    const line = yield* Effect.timeoutOption(Queue.take(lines), limits.answer)
    const answer = Option.flatMap(line, decodeAnswer)
    return Option.exists(answer, ({ yes }) => yes)
  })
  return {
    flushed: drained(socket),
    ask: answers ? ask : undefined,
    isWatched: steps,
    isScreen: screen,
    showStep: (step) => steps ? Effect.sync(() => send({ step })) : Effect.void,
    clearStep: steps ? Effect.sync(() => send({ step: "" })) : Effect.void
  }
}

const closeOf = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    if (socket.closed) resume(Effect.void)
    else socket.once("close", () => resume(Effect.void))
  })

/** Sends keep-alive frames while a command prints nothing. */
const keepAlive = (send: Send) =>
  Effect.forever(Effect.andThen(Effect.sleep(limits.alive), Effect.sync(() => send({ alive: true }))))

/** Runs commands of other processes in this server, with the ports of its node. */
class CommandRunner {
  readonly #node: Context.Context<CommandPorts>
  readonly #environment: Environment
  #running = 0

  constructor(node: Context.Context<CommandPorts>, environment: Environment) {
    this.#node = node
    this.#environment = environment
  }

  /** Serves one connection: reads the command, runs it, and sends its output and its exit code. */
  readonly serve = (socket: Socket): Effect.Effect<void> => {
    const send = sendTo(socket)
    const serve = Effect.gen({ self: this }, function*() {
      // The first line is the request. Later lines can only answer questions. At most two lines wait, others are dropped.
      const lines = yield* Queue.dropping<string>(2)
      onLines(socket, limits.line, (line) => Queue.offerUnsafe(lines, line))
      const line = yield* Effect.timeoutOption(Queue.take(lines), limits.request)
      const request = Option.flatMap(line, decodeRequest)
      if (Option.isNone(request)) return socket.destroy()
      const ending = yield* this.#run(request.value, send, lines, socket)
      if (ending.line !== undefined) send({ err: `lastro: ${ending.line}` })
      send({ exit: ending.exit })
      socket.end()
      yield* Effect.timeoutOption(closeOf(socket), limits.end)
    })
    return Effect.raceFirst(serve, closeOf(socket)).pipe(Effect.ensuring(Effect.sync(() => socket.destroy())))
  }

  readonly #run = (request: CommandRequest, send: Send, lines: Queue.Dequeue<string>, socket: Socket) =>
    Effect.gen({ self: this }, function*() {
      if (request.version !== version) {
        return {
          exit: exitCodes.misuse,
          line:
            `The server runs version ${version}, and this command has version ${request.version}. Use the command ` +
            "line of the version that the server runs."
        }
      }
      if (this.#running >= limits.commands) {
        return {
          exit: exitCodes.databaseUnavailable,
          line: `The server runs ${limits.commands} commands already. Run the command again when one has ended.`
        }
      }
      const exit = yield* Effect.acquireUseRelease(
        Effect.sync(() => this.#running++),
        () => Effect.exit(Effect.raceFirst(this.#command(request, send, lines, socket), keepAlive(send))),
        () => Effect.sync(() => this.#running--)
      )
      return Exit.isSuccess(exit)
        ? { exit: exitCodes.fine, line: undefined }
        : { exit: exitCodeOf(exit.cause), line: failureText(exit.cause, false) }
    })

  readonly #command = (request: CommandRequest, send: Send, lines: Queue.Dequeue<string>, socket: Socket) =>
    runCommand(administrationTree, request.args).pipe(
      Effect.timeoutOrElse({
        duration: limits.run,
        orElse: () => Effect.interrupt
      }),
      Effect.provideService(Console.Console, consoleOf(send)),
      Effect.provideService(OperatorTerminal, terminalOf(request, send, lines, socket)),
      Effect.provideService(CommandEnvironment, this.#environment),
      Effect.provideService(RunningNode, this.#node)
    )
}

/** The server cannot listen on its socket. */
class SocketUnavailable extends Data.TaggedError("SocketUnavailable")<{ readonly cause: unknown }> {}

/** Listens on a socket until the scope closes. Only this user can connect, because the folder has mode 0700. */
const listen = (
  path: string,
  serve: (socket: Socket) => void
): Effect.Effect<Server, SocketUnavailable, Scope.Scope> => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // A lost client is not an error of the server.
    socket.on("error", () => undefined).once("close", () => sockets.delete(socket))
    serve(socket)
  })
  server.maxConnections = limits.connections
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        new Promise<Server>((resolve, reject) => {
          server.once("error", reject)
          server.listen(path, () => resolve(server))
        }).then((listening) => chmod(path, 0o600).then(() => listening)),
      catch: (cause) => new SocketUnavailable({ cause })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        sockets.forEach((socket) => socket.destroy())
      })
  )
}

/**
 * Runs the commands of other processes while this server holds the data folder. Listens on a Unix domain socket in that
 * folder. If it cannot listen, the server still serves the API.
 */
export const layerCommandServer = (folder: string, environment: Environment): Layer.Layer<never, never, CommandPorts> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const path = yield* Effect.acquireRelease(
      Effect.promise(() => makeSocketPath(folder)),
      () => Effect.promise(() => removeSocket(folder))
    )
    if (path === undefined) {
      return yield* Effect.logWarning("the path of the data folder is too long; commands cannot use this server")
    }
    const runner = new CommandRunner(yield* Effect.context<CommandPorts>(), environment)
    const fork = yield* FiberSet.makeRuntime<never, void>()
    yield* Effect.catch(
      listen(path, (socket) => void fork(runner.serve(socket))),
      (error) =>
        Effect.annotateLogs(
          Effect.logWarning("the socket for commands is not available; commands cannot use this server"),
          { code: Predicate.hasProperty(error.cause, "code") ? error.cause.code : error._tag }
        )
    )
  }))
