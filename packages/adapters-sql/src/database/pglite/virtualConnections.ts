import { type PGlite } from "@electric-sql/pglite"
import { Duplex } from "node:stream"
import { type Turns } from "./SessionQueue.ts"
import { frontend, refusal, startupCode, statusAfter, welcome } from "./wire.ts"

type Session = Pick<PGlite, "execProtocolRawStream" | "exec">

/** The answer to a cycle, as a stream: PGlite reads any other answer itself too, and keeps every row of it for good. */
const answerOf = async (session: Session, messages: Uint8Array): Promise<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  // A part is a view of PGlite's memory, which the next one overwrites.
  await session.execProtocolRawStream(messages, { onRawData: (part) => parts.push(part.slice()) })
  return Buffer.concat(parts)
}

/**
 * Opens virtual connections to PGlite's one session: streams that speak PostgreSQL's wire protocol
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html) in this process.
 *
 * What a client writes is collected up to the message that asks for an answer, and each such cycle runs whole. Another
 * connection gets its turn when the session is outside any transaction; one that waits too long gets SQLSTATE 55P03, as
 * from a lock that was not free in time. A connection that ends inside a transaction undoes it.
 */
export const connections = (session: Session, turns: Turns) => (): Duplex => {
  const me = {}
  let buffered: Buffer = Buffer.alloc(0)
  let started = false
  let cycle: Array<Buffer> = []
  let running: Promise<void> = Promise.resolve()

  const answer = (bytes: Uint8Array): void => {
    if (bytes.length > 0 && !duplex.destroyed) duplex.push(Buffer.from(bytes))
  }

  const runCycle = async (): Promise<void> => {
    const messages = Buffer.concat(cycle)
    cycle = []
    if (!(await turns.take(me))) return answer(refusal("55P03", "canceling statement due to lock timeout"))
    if (duplex.destroyed) return turns.leave(me)
    const reply = await answerOf(session, messages)
    if (statusAfter(reply) === "I") turns.leave(me)
    answer(reply)
  }

  const greet = (code: number): void => {
    if (code === startupCode.ssl || code === startupCode.gss) answer(Buffer.from("N"))
    // PGlite runs on this very thread: by the time a cancel request is read there is nothing left to cancel.
    else if (code === startupCode.cancel) duplex.destroy()
    else {
      started = true
      answer(welcome)
    }
  }

  /** Takes one whole message off the buffer. */
  const nextMessage = (): Buffer | undefined => {
    const header = started ? 1 : 0
    if (buffered.length < header + 4) return undefined
    const length = header + buffered.readInt32BE(header)
    if (buffered.length < length) return undefined
    const message = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return message
  }

  /** Takes the buffered messages one after the other. */
  const pump = async (): Promise<void> => {
    const message = nextMessage()
    if (message === undefined) return
    const type = message[0]
    if (!started) greet(message.readInt32BE(4))
    else if (type === frontend.terminate) duplex.destroy()
    else {
      cycle.push(message)
      if (type === frontend.sync || type === frontend.query) await runCycle()
    }
    return pump()
  }

  const undo = async (): Promise<void> => {
    if (!turns.has(me)) turns.leave(me)
    await running.catch(() => undefined)
    if (!turns.has(me)) return
    try {
      await session.exec("rollback")
    } finally {
      turns.leave(me)
    }
  }

  const duplex = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      running = pump()
      running.then(() => done(), done)
    },
    destroy(error, done) {
      undo().then(() => done(error), done)
    }
  })
  return duplex
}
