import autocannon from "autocannon"
import { text } from "node:stream/consumers"
import { type Ask, headersOf } from "./Ask.ts"
import { type Load, type LoadResult } from "./Load.ts"

const { connections, lanes, perSecond, seconds, settle = 0, url }: Load = JSON.parse(await text(process.stdin))

const requestOf = (ask: Ask): autocannon.Request => ({
  method: ask.method ?? "GET",
  path: ask.path,
  headers: headersOf(ask),
  ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) })
})

const accepted: Array<number> = []
const acceptedLater: Array<number> = []
const refused: Array<number> = []
let answered = 0
let others = 0
let first = 0
let last = 0
let clients = 0

const instance = autocannon({
  url,
  connections,
  duration: seconds + settle / 1_000,
  sampleInt: 100,
  timeout: 60,
  ...(perSecond === undefined ? {} : { overallRate: perSecond }),
  requests: (lanes[0] ?? []).map(requestOf),
  setupClient: (client) => {
    client.setRequests((lanes[clients++ % lanes.length] ?? []).map(requestOf))
  }
}, (_, { errors }) => {
  const result: LoadResult = {
    accepted,
    answered,
    acceptedLater,
    refused,
    others: others + errors,
    milliseconds: last - first
  }
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
    if (last - first > 2_000) acceptedLater.push(took)
  } else if (status === 503) refused.push(took)
  else others += 1
})
