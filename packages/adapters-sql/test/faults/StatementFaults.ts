import { Duplex } from "node:stream"

/** A connection dies before a statement reaches the database, or after its execution and before its answer. */
export type FaultTiming = "before" | "after"

/** Frontend messages of PostgreSQL's protocol that request an answer: Query and Sync. */
const endsStatement = new Set([0x51, 0x53])

/** Splits a stream of frontend messages. The first message has no type. */
const makeSplitter = () => {
  let buffered: Buffer = Buffer.alloc(0)
  let started = false
  return (chunk: Buffer): ReadonlyArray<Buffer> => {
    buffered = Buffer.concat([buffered, chunk])
    const messages: Array<Buffer> = []
    for (;;) {
      const header = started ? 1 : 0
      if (buffered.length < header + 4) return messages
      const length = header + buffered.readInt32BE(header)
      if (buffered.length < length) return messages
      messages.push(buffered.subarray(0, length))
      buffered = buffered.subarray(length)
      started = true
    }
  }
}

/** Makes the connection of one statement die. All connections share the count of statements. */
export class StatementFaults {
  #remaining = Infinity
  #timing: FaultTiming = "before"
  /** The number of statements so far. */
  sent = 0

  /** Makes a connection die at the statement with this number, counted from 1. */
  arm(statement: number, timing: FaultTiming): void {
    this.#remaining = statement
    this.#timing = timing
  }

  /** Removes the fault. Returns whether a connection died. */
  disarm(): boolean {
    const fired = this.#remaining <= 0
    this.#remaining = Infinity
    return fired
  }

  /** Adds the fault to every connection that a function opens. */
  wrap(connect: () => Duplex): () => Duplex {
    return () => {
      const inner = connect()
      const split = makeSplitter()
      let isLosingAnswer = false
      const die = (): void => void outer.destroy(new Error("injected fault"))
      const forward = (message: Buffer): void => {
        if (message[0] !== undefined && endsStatement.has(message[0])) {
          this.sent++
          if (--this.#remaining === 0) {
            if (this.#timing === "before") return die()
            isLosingAnswer = true
          }
        }
        inner.write(message)
      }
      const outer: Duplex = new Duplex({
        read() {},
        write(chunk: Buffer, _encoding, done) {
          for (const message of split(chunk)) if (!outer.destroyed) forward(message)
          done()
        },
        destroy(error, done) {
          inner.once("close", () => done(error))
          inner.destroy()
        }
      })
      inner.on("data", (answer) => isLosingAnswer ? die() : outer.push(answer))
      inner.on("error", (error) => outer.destroy(error))
      inner.on("close", () => outer.destroy())
      return outer
    }
  }
}
