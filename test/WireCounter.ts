/** The traffic from a program to PostgreSQL. */
export interface Sent {
  /** Times that the program waited for PostgreSQL. Messages that it sends before it has an answer share a wait. */
  readonly trips: number
  /** Statements that PostgreSQL ran, `BEGIN` and `COMMIT` included. */
  readonly statements: number
}

const [simpleQuery, sync, execute, readyForQuery] = ["Q", "S", "E", "Z"].map((type) => type.charCodeAt(0))

/** Requests that come before the startup message and that the server answers with one byte: TLS and GSSAPI encryption. */
const isNegotiation = (code: number): boolean => code === 80877103 || code === 80877104

/** Splits a stream of bytes into messages of the PostgreSQL protocol and passes their types on. */
class Messages {
  #rest = Buffer.alloc(0)
  #hasType: boolean
  readonly #onMessage: (type: number | undefined, body: Buffer) => void
  /** Number of single bytes to skip. */
  skip = 0

  constructor(hasType: boolean, onMessage: (type: number | undefined, body: Buffer) => void) {
    this.#hasType = hasType
    this.#onMessage = onMessage
  }

  /** From now on, each message begins with its type. */
  startTypes(): void {
    this.#hasType = true
  }

  push(bytes: Buffer): void {
    let rest = Buffer.concat([this.#rest, bytes])
    while (rest.length > 0) {
      if (this.skip > 0) {
        this.skip -= 1
        rest = rest.subarray(1)
        continue
      }
      const start = this.#hasType ? 1 : 0
      if (rest.length < start + 4) break
      const end = start + rest.readUInt32BE(start)
      if (rest.length < end) break
      this.#onMessage(start === 0 ? undefined : rest[0], rest.subarray(start + 4, end))
      rest = rest.subarray(end)
    }
    this.#rest = rest
  }
}

/** The waits of a program that PostgreSQL has not answered, on all of its connections. */
export interface OpenWaits {
  count: number
}

/** Counts the messages of one connection. Waits on several connections at the same time count as one. */
export class WireCounter {
  #trips = 0
  #statements = 0
  readonly #all: OpenWaits
  /** Number of waits on this connection. */
  #open = 0
  /** `application_name` of the connection. */
  name = ""
  readonly #server = new Messages(true, (type) => {
    if (type === readyForQuery) this.#wait(-1)
  })
  readonly #client = new Messages(false, (type, body) => {
    if (type === undefined) this.#startUp(body)
    else this.#receive(type)
  })

  constructor(all: OpenWaits) {
    this.#all = all
  }

  /** Counts bytes that the program sends. */
  sent(bytes: Buffer): void {
    this.#client.push(bytes)
  }

  /** Counts bytes that the program receives. */
  received(bytes: Buffer): void {
    this.#server.push(bytes)
  }

  get count(): Sent {
    return { trips: this.#trips, statements: this.#statements }
  }

  /** Ends the waits on this connection, which was closed. */
  closed(): void {
    this.#wait(-this.#open)
  }

  #wait(change: number): void {
    this.#open += change
    this.#all.count += change
  }

  #startUp(body: Buffer): void {
    if (isNegotiation(body.readUInt32BE(0))) {
      this.#server.skip += 1
      return
    }
    const values = body.subarray(4).toString("utf8").split("\0")
    this.name = values[values.indexOf("application_name") + 1] ?? ""
    this.#client.startTypes()
    this.#wait(1)
  }

  #receive(type: number): void {
    if (type === execute || type === simpleQuery) this.#statements += 1
    if (type !== sync && type !== simpleQuery) return
    if (this.#all.count === 0) this.#trips += 1
    this.#wait(1)
  }
}
