/** A function in a profile of V8, with its callers. */
export interface Frame {
  readonly name: string
  /** The file or internal module of the function; empty for functions that are part of V8 or of Node.js. */
  readonly url: string
  readonly caller: Frame | undefined
}

/** The parts of a server to which the profile assigns its processor time. */
export const parts = [
  "the kernel",
  "HTTP of Node.js",
  "Fastify and its libraries",
  "Effect",
  "client of PostgreSQL",
  "log line",
  "Lastro: HTTP adapter",
  "Lastro: SQL adapter",
  "Lastro: domain",
  "Lastro: server",
  "hand-written code",
  "garbage collection",
  "the rest of Node.js"
] as const

/** A part of a server. */
export type Part = (typeof parts)[number]

/** The part of each file: the first pattern that matches its URL counts. */
const owners: ReadonlyArray<readonly [RegExp, Part]> = [
  [
    /(?:LineWriter|layers\/logs|sourcePlaces)\.ts|\/(?:pino|sonic-boom|thread-stream|safe-stable-stringify)\//,
    "log line"
  ],
  [/\/(?:pg|pg-[a-z]+|postgres-[a-z]+)\/|@effect[+/]sql-pg/, "client of PostgreSQL"],
  [/\/node_modules\/(?:effect|@effect)\//, "Effect"],
  [/\/packages\/adapters-http\//, "Lastro: HTTP adapter"],
  [/\/packages\/adapters-sql\//, "Lastro: SQL adapter"],
  [/\/packages\/domain\//, "Lastro: domain"],
  [/\/apps\/server\//, "Lastro: server"],
  [/\/bench\/src\//, "hand-written code"],
  [/\/node_modules\//, "Fastify and its libraries"],
  [/^node:(?:_http|net$|internal\/(?:http|net|stream_base|streams))/, "HTTP of Node.js"]
]

const ownerOf = ({ url }: Frame): Part | undefined => owners.find(([pattern]) => pattern.test(url))?.[1]

/**
 * Functions of Node.js whose time is that of a system call. While they run, the kernel often runs the receiver first on
 * the same core, and a profile counts that time, too.
 */
const writes = /^(?:write(?:v|Buffer|String|Utf8String|Latin1String|AsciiString|UcsString)?|writeSync)$/

/** Returns the parts of a function and of its callers, from the innermost to the outermost. */
const ownersFrom = (frame: Frame): ReadonlyArray<Part> => {
  const found: Array<Part> = []
  for (let at: Frame | undefined = frame; at !== undefined; at = at.caller) {
    const owner = ownerOf(at)
    if (owner !== undefined) found.push(owner)
  }
  return found
}

/**
 * Returns the part to which the time of a function belongs; undefined for an idle processor, and for system calls, whose
 * time the kernel counts. A function of V8 or of Node.js belongs to the part that called it.
 */
export const partOf = (frame: Frame): Part | undefined => {
  if (frame.name === "(idle)" || frame.name === "(root)" || (frame.url === "" && writes.test(frame.name))) {
    return undefined
  }
  if (frame.name === "(garbage collector)") return "garbage collection"
  if (frame.name === "(program)") return "the rest of Node.js"
  const from = ownersFrom(frame)
  const [nearest = "the rest of Node.js"] = from
  if (nearest !== "HTTP of Node.js") return nearest
  // Node.js writes the sockets of the database client with the same modules as those of HTTP.
  const user = from.find((part) => part !== "HTTP of Node.js")
  return user === "client of PostgreSQL" ? user : nearest
}
