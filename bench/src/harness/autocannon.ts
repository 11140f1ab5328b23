// The load generator. Reads a load as JSON from standard input, and writes the result as JSON to standard output.
import autocannon from "autocannon"
import { json } from "node:stream/consumers"
import type { Load, LoadResult } from "./load.ts"

type Requests = Omit<Load, "lanes"> & { readonly lanes: ReadonlyArray<Array<autocannon.Request>> }

const { connections, lanes, perSecond, requests, seconds = 0, settle = 0, url } = await json(process.stdin) as Requests
const accepted: Array<number> = []
let answered = 0
let refused = 0
let others = 0
let first = 0
let last = 0
let clients = 0

const instance = autocannon({
  url,
  connections,
  ...(requests === undefined ? { duration: seconds + settle / 1_000 } : { amount: requests }),
  sampleInt: 100,
  timeout: 60,
  ...(perSecond === undefined ? {} : { overallRate: perSecond }),
  requests: lanes[0] ?? [],
  setupClient: (client) => {
    client.setRequests(lanes[clients++ % lanes.length] ?? [])
  }
}, (_, { errors }) => {
  const result: LoadResult = { accepted, answered, refused, others: others + errors, milliseconds: last - first }
  process.stdout.write(JSON.stringify(result))
})
instance.on("start", () => {
  first = performance.now() + settle
})
instance.on("response", (_client, status, _bytes, took) => {
  last = performance.now()
  if (status >= 200 && status < 300) {
    answered += 1
    if (last >= first) accepted.push(took)
  } else if (status === 503) refused += 1
  else others += 1
})
