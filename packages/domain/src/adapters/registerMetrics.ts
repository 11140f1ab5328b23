import { Context, Effect, Metric, type Scope } from "effect"

/** A metric whose value is computed when a snapshot of the metrics is taken, for example by Prometheus. */
export interface MetricOnRead {
  /** The name by the conventions of Prometheus: base units, and the suffix `_total` for a counter. */
  readonly name: string
  readonly description: string
  /** Default: `gauge`. */
  readonly type?: "gauge" | "counter"
  /** Labels with few possible values, none of them personal data. */
  readonly labels?: Readonly<Record<string, string>>
  /** Returns the current value. It must return at once and must not throw. */
  readonly read: () => number
  /**
   * Combines the values of several parts of a process that register the same metric, for example the nodes of several
   * tenants. Default: their sum.
   */
  readonly join?: (...values: ReadonlyArray<number>) => number
}

/** A registered metric. `parts` has one entry for each part of the process that reports a value. */
interface Series {
  readonly parts: Set<MetricOnRead>
  readonly registration: Metric.Registration
}

/** The registered metrics of each registry, by name and labels. */
const registered = new WeakMap<Metric.MetricRegistry, Map<string, Series>>()

const sum = (...values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

const register = (
  context: Context.Context<never>,
  { description, join = sum, labels: attributes = {}, name, type = "gauge" }: MetricOnRead
): Series => {
  const parts = new Set<MetricOnRead>()
  const value = () => join(...Array.from(parts, ({ read }) => read()))
  const ignored = { update: () => undefined, modify: () => undefined }
  const registration = type === "counter"
    ? Metric.registerUnsafe(Metric.counter(name, { description, attributes, incremental: true }), context, {
      get: () => ({ count: value(), incremental: true }),
      ...ignored
    })
    : Metric.registerUnsafe(Metric.gauge(name, { description, attributes }), context, {
      get: () => ({ value: value() }),
      ...ignored
    })
  return { parts, registration }
}

/** Adds a metric under its name and labels. Returns a function that removes it again. */
const add = (context: Context.Context<never>, metric: MetricOnRead): () => void => {
  const registry = Context.get(context, Metric.MetricRegistry)
  const all = registered.get(registry) ?? new Map<string, Series>()
  registered.set(registry, all)
  const key = `${metric.name}${JSON.stringify(Object.entries(metric.labels ?? {}))}`
  const series = all.get(key) ?? register(context, metric)
  all.set(key, series)
  series.parts.add(metric)
  return () => {
    series.parts.delete(metric)
    if (series.parts.size > 0) return
    series.registration.remove()
    all.delete(key)
  }
}

/**
 * Registers metrics in the metric registry of the calling fiber, until the scope closes. They are read when a snapshot
 * of the metrics is taken, for example by `PrometheusMetrics.format()` or an OTLP exporter.
 */
export const registerMetrics = (metrics: ReadonlyArray<MetricOnRead>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.acquireRelease(
      Effect.sync(() => metrics.map((metric) => add(context, metric))),
      (removals) => Effect.sync(() => removals.forEach((remove) => remove()))
    )
  ).pipe(Effect.asVoid)
