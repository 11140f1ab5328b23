import { type OpenDocument, version } from "@lastro/adapters-http"
import { WorkRunner } from "@lastro/adapters-sql"
import { type MetricOnRead, registerMetrics } from "@lastro/domain/adapters"
import { Effect, Layer, Schedule } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { readdirSync, readFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"

/** The path and media type of the metrics in the text format of Prometheus. */
export const metricsPage = { path: "/metrics", type: "text/plain; version=0.0.4; charset=utf-8" } as const

export const metricsDocument: Effect.Effect<OpenDocument, never, WorkRunner> = Effect.map(
  WorkRunner,
  ({ refreshMetrics }) => ({
    ...metricsPage,
    text: Effect.andThen(refreshMetrics, PrometheusMetrics.format())
  })
)

/**
 * Updates the metrics of the job table every 10 s for the OTLP exporter, which cannot request an update. `/metrics`
 * updates them at each request.
 */
export const layerFreshMetrics: Layer.Layer<never, never, WorkRunner> = Layer.effectDiscard(
  Effect.flatMap(
    WorkRunner,
    ({ refreshMetrics }) => Effect.forkScoped(Effect.repeat(refreshMetrics, Schedule.spaced("10 seconds")))
  )
)

/** Milliseconds between two measurements of the lag of the event loop. */
const resolution = 20

/** Minimum length of a measurement period in milliseconds. Two readings within one period return the same values. */
const period = 10_000

/**
 * Returns a function that reads the lag of the event loop in the last complete period. The first call starts the first
 * period. A call ends a period that has lasted at least 10 s, and starts the next one.
 */
const makeLagReader = () => {
  const histogram = monitorEventLoopDelay({ resolution })
  const none = { p99: 0, max: 0 }
  let begun: number | undefined
  let last = none
  return () => {
    const now = performance.now()
    if (begun === undefined) {
      begun = now
      histogram.enable()
    } else if (now - begun >= period && histogram.count > 0) {
      const seconds = (nanoseconds: number) => Math.max(nanoseconds / 1e9 - resolution / 1_000, 0)
      last = { p99: seconds(histogram.percentile(99)), max: seconds(histogram.max) }
      begun = now
      histogram.reset()
    }
    return last
  }
}

/** Returns the number of open file descriptors. NaN on a system without `/proc`. */
const openFds = (): number => {
  try {
    // Subtract the descriptor that lists the folder.
    return readdirSync("/proc/self/fd").length - 1
  } catch {
    return Number.NaN
  }
}

/** Returns the limit of open file descriptors. NaN if it is unknown. */
const maxFds = (): number => {
  try {
    const [, soft = ""] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? []
    return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number.parseInt(soft, 10)
  } catch {
    return Number.NaN
  }
}

const metric = (name: string, description: string, read: () => number): MetricOnRead => ({ name, description, read })

const processMetrics = (): ReadonlyArray<MetricOnRead> => {
  const readLag = makeLagReader()
  return [
    {
      ...metric("lastro_build_info", "The version of Lastro and of Node.js. The value is always 1", () => 1),
      labels: { version, node_version: process.version }
    },
    {
      ...metric("process_cpu_seconds_total", "Processor time of the process, user and system", () => {
        const { system, user } = process.cpuUsage()
        return (system + user) / 1e6
      }),
      type: "counter"
    },
    metric(
      "process_start_time_seconds",
      "Time at which the process started, in seconds since 1970",
      () => performance.timeOrigin / 1_000
    ),
    metric("process_resident_memory_bytes", "Resident memory of the process", () => process.memoryUsage.rss()),
    metric("process_open_fds", "Open file descriptors. NaN if the system has no /proc", openFds),
    metric("process_max_fds", "Maximum number of open file descriptors. NaN if the system has no /proc", maxFds),
    metric("nodejs_heap_size_used_bytes", "Used part of the JavaScript heap", () => getHeapStatistics().used_heap_size),
    metric(
      "nodejs_heap_size_limit_bytes",
      "Maximum size of the JavaScript heap",
      () => getHeapStatistics().heap_size_limit
    ),
    metric(
      "nodejs_external_memory_bytes",
      "Memory of buffers and WebAssembly outside the JavaScript heap",
      () => process.memoryUsage().external
    ),
    metric(
      "nodejs_eventloop_lag_p99_seconds",
      "99th percentile of the lag of the event loop in the last complete period between two readings",
      () => readLag().p99
    ),
    metric(
      "nodejs_eventloop_lag_max_seconds",
      "Maximum lag of the event loop in the last complete period between two readings",
      () => readLag().max
    )
  ]
}

/** Registers the metrics of this process. Only for the server: a service that embeds the packages has its own. */
export const layerProcessMetrics: Layer.Layer<never> = Layer.effectDiscard(
  Effect.suspend(() => registerMetrics(processMetrics()))
)
