import { Redacted, Result } from "effect"
import {
  choice,
  type Environment,
  integer,
  isSet,
  optional,
  type Reader,
  refuse,
  type SettingRefused,
  text
} from "./readers.ts"

/** The collector that receives traces or metrics. */
export interface SignalSetting {
  readonly url: string
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly compression: "gzip" | "none"
  readonly protocol: "http/protobuf" | "http/json"
}

/** The settings of the trace sampler. `ratio` is the share of traces that are exported. */
export interface Sampler {
  /** If true, the caller decides about a request with a `traceparent` header. */
  readonly isParentBased: boolean
  readonly ratio: number
}

/** The settings for exporting traces and metrics by OTLP. */
export interface TelemetrySetting {
  /** Undefined if traces are not exported. */
  readonly traces: SignalSetting | undefined
  /** Undefined if metrics are not exported. */
  readonly metrics:
    | SignalSetting & { readonly interval_ms: number; readonly temporality: "cumulative" | "delta" }
    | undefined
  readonly sampler: Sampler
  /** The resource attributes that the operator sets. */
  readonly attributes: Readonly<Record<string, string>>
  /** The OpenTelemetry variables that are set but have no effect. */
  readonly unsupported: ReadonlyArray<string>
}

const signals = ["TRACES", "METRICS"] as const
type Signal = typeof signals[number]

const ofSignals = (name: string): ReadonlyArray<string> => [
  `OTEL_EXPORTER_OTLP_${name}`,
  ...signals.map((signal) => `OTEL_EXPORTER_OTLP_${signal}_${name}`)
]

const supported: ReadonlySet<string> = new Set([
  "OTEL_SDK_DISABLED",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_TRACES_EXPORTER",
  "OTEL_METRICS_EXPORTER",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
  "OTEL_METRIC_EXPORT_INTERVAL",
  "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
  ...["ENDPOINT", "HEADERS", "PROTOCOL", "COMPRESSION"].flatMap(ofSignals)
])

/** Values of unsupported variables that equal the behaviour of Lastro, so they need no warning. */
const usual: Readonly<Record<string, ReadonlyArray<string>>> = {
  OTEL_LOGS_EXPORTER: ["none"],
  OTEL_PROPAGATORS: ["tracecontext", "tracecontext,baggage"]
}

/** The supported values of OTEL_TRACES_SAMPLER. */
const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return undefined
  }
}

/** Reads pairs in the format of W3C Baggage: `key1=value1,key2=value2`, with percent-encoded values. */
const pairs: Reader<Readonly<Record<string, string>>> = (name, value) => {
  const read = new Map<string, string>()
  for (const pair of value.split(",").filter((pair) => pair.trim() !== "")) {
    const at = pair.indexOf("=")
    const key = at < 0 ? undefined : decode(pair.slice(0, at))
    const text = decode(pair.slice(at + 1))
    if (key === undefined || key === "" || text === undefined) {
      return refuse(name, "must be a list such as key1=value1,key2=value2 with percent-encoded values")
    }
    read.set(key, text)
  }
  return Result.succeed(Object.fromEntries(read))
}

/** Returns the OpenTelemetry variables that are set but have no effect. */
const unsupportedOf = (environment: Environment): ReadonlyArray<string> => {
  const given = Object.keys(environment).filter((name) => name.startsWith("OTEL_") && isSet(environment, name))
  const isUsual = (name: string): boolean => usual[name]?.includes(environment[name] ?? "") === true
  return given.filter((name) => !supported.has(name) && !isUsual(name)).toSorted()
}

const boolean: Reader<boolean> = (name, value) =>
  Result.map(choice(["true", "false"])(name, value.toLowerCase()), (word) => word === "true")

const endpointUrl: Reader<URL> = (name, value) => {
  const url = /^https?:\/\/./i.test(value) && URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined) return refuse(name, "must be an http or https URL")
  return url.username === "" && url.password === ""
    ? Result.succeed(url)
    : refuse(name, "must not contain a user or password. Send credentials in OTEL_EXPORTER_OTLP_HEADERS")
}

const protocol: Reader<SignalSetting["protocol"]> = (name, value) =>
  value === "grpc"
    ? refuse(
      name,
      "must be http/protobuf or http/json. Use the HTTP port of the collector, normally 4318, instead of grpc"
    )
    : choice(["http/protobuf", "http/json"])(name, value)

/** Reads the variable of one signal, such as traces. If it is absent, reads the variable for all signals. */
const ofSignal = <A>(
  environment: Environment,
  signal: Signal,
  name: string,
  read: Reader<A>
): Result.Result<A | undefined, SettingRefused> =>
  Result.flatMap(
    optional(environment, `OTEL_EXPORTER_OTLP_${signal}_${name}`, read),
    (own) => own === undefined ? optional(environment, `OTEL_EXPORTER_OTLP_${name}`, read) : Result.succeed(own)
  )

/**
 * Reads the URL for a signal. The URL of a single signal is used unchanged. The path of the signal is appended to the
 * URL for all signals.
 */
const urlOf = (environment: Environment, signal: Signal): Result.Result<string | undefined, SettingRefused> =>
  Result.gen(function*() {
    const own = yield* optional(environment, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, endpointUrl)
    const base = yield* optional(environment, "OTEL_EXPORTER_OTLP_ENDPOINT", endpointUrl)
    if (own !== undefined) return own.href
    if (base === undefined) return undefined
    base.pathname = `${base.pathname.replace(/\/$/, "")}/v1/${signal.toLowerCase()}`
    return base.href
  })

const readSignal = (
  environment: Environment,
  signal: Signal
): Result.Result<SignalSetting | undefined, SettingRefused> =>
  Result.gen(function*() {
    const exporter = yield* optional(environment, `OTEL_${signal}_EXPORTER`, choice(["otlp", "none"]))
    const url = yield* urlOf(environment, signal)
    const headers = yield* ofSignal(environment, signal, "HEADERS", pairs)
    const setting = {
      headers: Redacted.make(headers ?? {}),
      compression: (yield* ofSignal(environment, signal, "COMPRESSION", choice(["gzip", "none"]))) ?? "none",
      protocol: (yield* ofSignal(environment, signal, "PROTOCOL", protocol)) ?? "http/protobuf"
    }
    return url === undefined || exporter === "none" ? undefined : { url, ...setting }
  })

const ratio: Reader<number> = (name, value) =>
  /^(?:0|0?\.\d{1,9}|0\.0*|1(?:\.0*)?)$/.test(value)
    ? Result.succeed(Number(value))
    : refuse(name, "must be the part of the traces to keep, from 0 to 1, such as 0.1")

const readSampler = (environment: Environment): Result.Result<Sampler, SettingRefused> =>
  Result.gen(function*() {
    const name = (yield* optional(environment, "OTEL_TRACES_SAMPLER", choice(samplerNames))) ?? "parentbased_always_on"
    const isParentBased = name.startsWith("parentbased_")
    if (!name.endsWith("traceidratio")) {
      return isSet(environment, "OTEL_TRACES_SAMPLER_ARG")
        ? yield* refuse(
          "OTEL_TRACES_SAMPLER_ARG",
          "requires OTEL_TRACES_SAMPLER=traceidratio or OTEL_TRACES_SAMPLER=parentbased_traceidratio"
        )
        : { isParentBased, ratio: name.endsWith("always_on") ? 1 : 0 }
    }
    return { isParentBased, ratio: (yield* optional(environment, "OTEL_TRACES_SAMPLER_ARG", ratio)) ?? 1 }
  })

const disabled: TelemetrySetting = {
  traces: undefined,
  metrics: undefined,
  sampler: { isParentBased: true, ratio: 1 },
  attributes: {},
  unsupported: []
}

/**
 * Reads the standard variables of OpenTelemetry. Without an endpoint, nothing is exported. If OTEL_SDK_DISABLED is
 * `true`, all others are ignored.
 */
export const readTelemetry = (environment: Environment): Result.Result<TelemetrySetting, SettingRefused> =>
  Result.gen(function*() {
    if (yield* optional(environment, "OTEL_SDK_DISABLED", boolean)) return disabled
    const metrics = yield* readSignal(environment, "METRICS")
    const traces = yield* readSignal(environment, "TRACES")
    const interval_ms = (yield* optional(environment, "OTEL_METRIC_EXPORT_INTERVAL", integer(1_000, 3_600_000))) ??
      60_000
    const temporality = (yield* optional(
      environment,
      "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
      (name, value) => choice(["cumulative", "delta"])(name, value.toLowerCase())
    )) ?? "cumulative"
    const service = yield* optional(environment, "OTEL_SERVICE_NAME", text)
    const attributes = yield* optional(environment, "OTEL_RESOURCE_ATTRIBUTES", pairs)
    return {
      traces,
      metrics: metrics === undefined ? undefined : { ...metrics, interval_ms, temporality },
      sampler: yield* readSampler(environment),
      attributes: { ...attributes, ...(service === undefined ? {} : { "service.name": service }) },
      unsupported: unsupportedOf(environment)
    }
  })
