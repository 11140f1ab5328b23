import autocannon from "autocannon"
import { type Load, type LoadResult } from "./Load.ts"

const { connections, seconds, tokens, url }: Load = JSON.parse(process.env["LOAD"] ?? "")

const times: Array<number> = []
let first = 0
let last = 0

const instance = autocannon({
  url,
  connections,
  duration: seconds,
  requests: tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } }))
}, (_, { errors, mismatches, non2xx }) => {
  const result: LoadResult = { times, milliseconds: last - first, failed: errors + mismatches + non2xx }
  process.stdout.write(JSON.stringify(result))
})
instance.on("start", () => {
  first = performance.now()
})
instance.on("response", (_client, _status, _bytes, took) => {
  last = performance.now()
  times.push(took)
})
