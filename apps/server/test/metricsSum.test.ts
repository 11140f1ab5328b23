import { assert, describe, it } from "@effect/vitest"
import { MetricsSum } from "../src/workers/MetricsSum.ts"

/** The page of a process with these values. */
const page = (requests: number, queued: number, jobs: number, memory: number) =>
  `# HELP http_server_requests_total Requests
# TYPE http_server_requests_total counter
http_server_requests_total{route="/a b",status="200"} ${requests}
# HELP seconds Durations
# TYPE seconds histogram
seconds_bucket{le="+Inf"} ${requests}
seconds_sum ${requests / 4}
# HELP http_server_queued_requests Waiting requests
# TYPE http_server_queued_requests gauge
http_server_queued_requests ${queued}
# HELP lastro_jobs Jobs
# TYPE lastro_jobs gauge
lastro_jobs{kind="quote"} ${jobs}
# HELP process_resident_memory_bytes Memory
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes ${memory}
`

const samplesOf = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))

describe("the metrics of several processes", () => {
  it("are sums of counters, histograms and counted gauges, the largest of others, and gauges of each process", () => {
    const merged = new MetricsSum().merge([
      { text: page(3, 1, 7, 100), worker: "1" },
      { text: page(5, 2, Number.NaN, 200), worker: "2" },
      { text: page(1, 0, 6, 300), worker: undefined }
    ])
    assert.deepStrictEqual(samplesOf(merged), [
      "http_server_requests_total{route=\"/a b\",status=\"200\"} 9",
      "seconds_bucket{le=\"+Inf\"} 9",
      "seconds_sum 2.25",
      "http_server_queued_requests 3",
      "lastro_jobs{kind=\"quote\"} 7",
      "process_resident_memory_bytes{worker=\"1\"} 100",
      "process_resident_memory_bytes{worker=\"2\"} 200"
    ])
    assert.strictEqual(merged.split("# TYPE").length, 6)
  })

  it("include the counters of ended processes, also if no other process has them", () => {
    const sum = new MetricsSum()
    sum.retire(page(3, 1, 7, 100))
    sum.retire(page(4, 1, 7, 100))
    sum.retire("")
    assert.deepStrictEqual(samplesOf(sum.merge([{ text: page(1, 2, 3, 50), worker: "1" }])).slice(0, 4), [
      "http_server_requests_total{route=\"/a b\",status=\"200\"} 8",
      "seconds_bucket{le=\"+Inf\"} 8",
      "seconds_sum 2",
      "http_server_queued_requests 2"
    ])
    assert.deepStrictEqual(samplesOf(sum.merge([])), [
      "http_server_requests_total{route=\"/a b\",status=\"200\"} 7",
      "seconds_bucket{le=\"+Inf\"} 7",
      "seconds_sum 1.75"
    ])
  })
})
