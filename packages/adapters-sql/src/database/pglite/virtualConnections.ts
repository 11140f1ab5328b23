import type { PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"
import { type ConnectionQueue } from "./ConnectionQueue.ts"
import { type WalSync } from "./WalSync.ts"
import {
  closeStatements,
  errorResponse,
  frontend,
  notePrepared,
  readAnswer,
  startupCode,
  startupResponse
} from "./wire.ts"

type PgliteSession = Pick<PGlite, "execProtocolRawStream" | "exec">

/**
 * Executes the messages of one cycle (see {@link makeConnector}) with PGlite's streaming call. Any other call would
 * parse the response and keep all of its rows in memory.
 */
const execute = async (session: PgliteSession, messages: Uint8Array): Promise<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  // Copy each part: it is a view of PGlite's memory, which the next part overwrites.
  await session.execProtocolRawStream(messages, { onRawData: (part) => parts.push(part.slice()) })
  return Buffer.concat(parts)
}

/**
 * Returns a function that opens a virtual connection to PGlite's only session. A virtual connection is an in-process
 * stream with PostgreSQL's wire protocol (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 *
 * A cycle is a sequence of client messages that ends with a message that requests a response. Messages are buffered
 * until the cycle is complete, and then executed together. Another connection can get the session only while no
 * transaction is open. A connection that waits too long receives SQLSTATE 55P03, like a lock timeout on a server.
 * Closing a connection inside a transaction rolls the transaction back. It also closes the connection's prepared statements.
 *
 * With `wal`, a response is sent when all earlier commits are on disk, so a power failure cannot undo data that a
 * client has seen. Meanwhile, other connections use the session. A response inside a transaction is sent at once.
 *
 * `onError` receives the SQLSTATE of each failed cycle.
 */
export const makeConnector = (
  session: PgliteSession,
  queue: ConnectionQueue,
  wal?: Pick<WalSync, "marks" | "settle">,
  onError: (sqlState: string) => void = () => {}
) => {
  // The statements of closed connections. If a connection does not get the session, the next closed one closes them.
  const unused = new Set<string>()
  return (): Duplex => {
    const connection = {}
    let buffered: Buffer = Buffer.alloc(0)
    let started = false
    let cycle: Array<Buffer> = []
    let running: Promise<void> = Promise.resolve()
    // The driver gives the statements of each connection names of their own, although all are in the same session.
    const prepared = new Set<string>()

    const send = (bytes: Uint8Array): void => {
      if (bytes.length > 0 && !duplex.destroyed) duplex.push(Buffer.from(bytes))
    }

    const runCycle = async (): Promise<void> => {
      const messages = Buffer.concat(cycle)
      cycle = []
      if (!(await queue.acquire(connection))) {
        return send(errorResponse("55P03", "canceling statement due to lock timeout"))
      }
      if (duplex.destroyed) return queue.release(connection)
      const marks = wal?.marks
      const answer = await execute(session, messages)
      const { sqlState, status } = readAnswer(answer)
      const isIdle = status === "I"
      if (sqlState !== undefined) onError(sqlState)
      if (isIdle) queue.release(connection)
      // These messages can commit and begin the next transaction. A new mark in the WAL then shows that there was a
      // commit.
      if (isIdle || wal?.marks !== marks) await wal?.settle()
      send(answer)
    }

    const handleStartup = (code: number): void => {
      if (code === startupCode.ssl || code === startupCode.gss) send(Buffer.from("N"))
      // PGlite runs on this thread. When a cancel request is read, the statement has already ended.
      else if (code === startupCode.cancel) duplex.destroy()
      else {
        started = true
        send(startupResponse)
      }
    }

    /** Takes one complete message from the buffer. */
    const nextMessage = (): Buffer | undefined => {
      const header = started ? 1 : 0
      if (buffered.length < header + 4) return undefined
      const length = header + buffered.readInt32BE(header)
      if (buffered.length < length) return undefined
      const message = buffered.subarray(0, length)
      buffered = buffered.subarray(length)
      return message
    }

    const processMessages = async (): Promise<void> => {
      const message = nextMessage()
      if (message === undefined) return
      const type = message[0]
      if (!started) handleStartup(message.readInt32BE(4))
      else if (type === frontend.terminate) duplex.destroy()
      else {
        cycle.push(message)
        notePrepared(prepared, message)
        if (type === frontend.sync || type === frontend.query) await runCycle()
      }
      return processMessages()
    }

    /** Leaves the queue, rolls back an open transaction and closes the prepared statements. */
    const cleanUp = async (): Promise<void> => {
      if (!queue.isHeldBy(connection)) queue.release(connection)
      await running.catch(() => undefined)
      for (const name of prepared) unused.add(name)
      if (unused.size === 0 && !queue.isHeldBy(connection)) return
      if (!(await queue.acquire(connection))) return
      try {
        await session.exec("rollback")
        const names = [...unused]
        unused.clear()
        await execute(session, closeStatements(names))
      } finally {
        queue.release(connection)
      }
    }

    const duplex = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
        running = processMessages()
        running.then(() => done(), done)
      },
      destroy(error, done) {
        cleanUp().then(() => done(error), done)
      }
    })
    return duplex
  }
}
