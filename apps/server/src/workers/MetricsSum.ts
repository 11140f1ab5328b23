/** A series with its value, from one process. */
interface Sample {
  readonly name: string
  /** The labels without the braces. Empty if there are none. */
  readonly labels: string
  readonly value: number
}

/** A metric of one process: its lines `HELP` and `TYPE`, and its samples. */
interface Family {
  readonly head: ReadonlyArray<string>
  readonly type: string
  readonly samples: ReadonlyArray<Sample>
}

/** Parses the text format of Prometheus as this program writes it: the lines of a metric are consecutive. */
const parseMetrics = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, { head: Array<string>; type: string; samples: Array<Sample> }>()
  let current = ""
  for (const line of text.split("\n")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+)(?: (.*))?$/.exec(line) ?? []
    if (keyword !== undefined) {
      current = name
      const family = families.get(name) ?? { head: [], type: "untyped", samples: [] }
      family.head.push(line)
      if (keyword === "TYPE") family.type = rest
      families.set(name, family)
      continue
    }
    const [, sample, , labels = "", value] = /^([^\s{]+)(\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (sample === undefined || value === undefined) continue
    families.get(current)?.samples.push({ name: sample, labels, value: numberOf(value) })
  }
  return families
}

const numberOf = (text: string): number => {
  if (text === "+Inf") return Number.POSITIVE_INFINITY
  return text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text)
}

const textOf = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return "+Inf"
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value)
}

const sum = (a: number, b: number): number => a + b

/** Returns the value that is farther from 0. Ignores NaN. */
const larger = (a: number, b: number): number => Number.isNaN(a) || Math.abs(b) > Math.abs(a) ? b : a

const isSum = (type: string): boolean => type === "counter" || type === "histogram" || type === "summary"

/**
 * Returns whether a gauge describes the process itself. Each process has its own series of it, with the label `worker`.
 */
const isOfProcess = (name: string): boolean => /^(?:process|nodejs)_/.test(name)

/**
 * Returns whether a gauge is the process's share of a total. Any other gauge describes the installation, so all
 * processes report the same value.
 */
const isCounted = (name: string): boolean => /^(?:http_server|lastro_database)_/.test(name)

/** The metrics of one process. If `worker`, the name of the process, is undefined, its own gauges are left out. */
export interface MetricsPart {
  readonly text: string
  readonly worker: string | undefined
}

/**
 * Combines the metrics of several processes into one page. Counters and histograms are added up, including those of
 * ended processes, so that they never decrease. Gauges of a process get the label `worker`. Gauges that are a share of
 * a total are added up. For any other gauge, the largest value counts.
 */
export class MetricsSum {
  /** The last counters of ended processes, by metric and series. */
  readonly #ended = new Map<string, Family>()

  /** Adds the last metrics of a process that has ended. */
  readonly retire = (text: string): void => {
    for (const [name, { head, samples, type }] of parseMetrics(text)) {
      if (!isSum(type)) continue
      const all = new Series()
      this.#ended.get(name)?.samples.forEach((sample) => all.add(sample, sum))
      samples.forEach((sample) => all.add(sample, sum))
      this.#ended.set(name, { head, type, samples: all.samples() })
    }
  }

  readonly merge = (parts: ReadonlyArray<MetricsPart>): string => {
    const read: ReadonlyArray<readonly [ReadonlyMap<string, Family>, string | undefined]> = [
      ...parts.map(({ text, worker }) => [parseMetrics(text), worker] as const),
      [this.#ended, undefined]
    ]
    const merged = new Map<string, { readonly head: ReadonlyArray<string>; readonly all: Series }>()
    for (const [families, worker] of read) {
      for (const [name, { head, samples, type }] of families) {
        const { all } = merged.get(name) ?? { all: new Series() }
        merged.set(name, { head, all })
        for (const sample of samples) {
          if (isSum(type) || isCounted(name)) all.add(sample, sum)
          else if (!isOfProcess(name)) all.add(sample, larger)
          else if (worker !== undefined) all.add({ ...sample, labels: withWorker(sample.labels, worker) }, larger)
        }
      }
    }
    return [...merged.values()].flatMap(({ all, head }) => [...head, ...all.lines()]).join("\n") + "\n"
  }
}

const withWorker = (labels: string, worker: string): string =>
  `${labels}${labels === "" || labels.endsWith(",") ? "" : ","}worker="${worker}"`

/** The series of one metric, in the order of their first samples. */
class Series {
  readonly #values = new Map<string, Sample>()

  add(sample: Sample, join: (a: number, b: number) => number): void {
    const key = `${sample.name}{${sample.labels}}`
    const known = this.#values.get(key)
    this.#values.set(key, known === undefined ? sample : { ...known, value: join(known.value, sample.value) })
  }

  samples(): ReadonlyArray<Sample> {
    return [...this.#values.values()]
  }

  lines(): ReadonlyArray<string> {
    return this.samples().map(({ labels, name, value }) =>
      `${name}${labels === "" ? "" : `{${labels}}`} ${textOf(value)}`
    )
  }
}
