import { assert, describe, it } from "@effect/vitest"
import { layerHttpLender } from "@lastro/adapters-http"
import { Effect, Layer, Metric, Schedule } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask } from "./running/asking.ts"
import { databases } from "./running/databases.ts"
import { serveInProcess } from "./running/inProcess.ts"
import { type Environment, root } from "./running/lastro.ts"
import { onPostgres } from "./running/serving.ts"

const textOf = (path: string): string => readFileSync(join(root, path), "utf8")

/** The metrics that docs/metrics.md lists: their types and labels, by name. */
const documented = new Map(
  textOf("docs/metrics.md").split("\n").flatMap((line) => {
    const [, names = "", type] = /^\| (`[^|]*`) \| (counter|gauge|histogram) \|/.exec(line) ?? []
    return Array.from(
      names.matchAll(/`([a-z0-9_]+)(?:\{([a-z_,]+)\})?`/g),
      ([, name = "", labels = ""]) =>
        [name, { type, labels: labels.split(",").filter((label) => label !== "").toSorted() }] as const
    )
  })
)

interface Family {
  readonly type: string
  readonly help: string | undefined
  readonly labels: Set<string>
  readonly values: Set<string>
}

/** Reads the text format of Prometheus. */
const familiesOf = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, Family>()
  const help = new Map(Array.from(text.matchAll(/^# HELP (\S+) (.+)$/gm), ([, name = "", words = ""]) => [name, words]))
  let current: Family | undefined
  for (const line of text.split("\n")) {
    const [, name = "", type = ""] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (name !== "") {
      current = { type, help: help.get(name), labels: new Set(), values: new Set() }
      families.set(name, current)
    } else if (!line.startsWith("#")) {
      for (const [, label = "", value = ""] of line.matchAll(/([a-z_]+)="([^"]*)"/g)) {
        if (label === "le") continue
        current?.labels.add(label)
        current?.values.add(value)
      }
    }
  }
  return families
}

/** Serves a node inside the test process, with a metrics port. */
const serveNode = Effect.fnUntraced(function*(environment: Environment) {
  const { metricsUrl = "", url } = yield* serveInProcess({
    ...onPostgres(yield* migratedDatabase),
    LASTRO_METRICS_PORT: "0",
    ...environment
  })
  return { api: { url }, metrics: { url: metricsUrl } }
})

/** Metric names and their labels in an expression of PromQL. */
const namesIn = (expression: string): ReadonlyArray<readonly [name: string, labels: ReadonlyArray<string>]> =>
  Array.from(
    expression.matchAll(/\b((?:lastro|http_server|process|nodejs)_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?/g),
    ([, name = "", matchers = ""]) =>
      [name, Array.from(matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g), ([, label = ""]) => label)] as const
  )

/** Labels that Prometheus adds to every series of a target. */
const ofTarget = ["job", "instance"]

const assertMeasured = (expression: string): void => {
  for (const [name, labels] of namesIn(expression)) {
    if (name === "up") continue
    const base = documented.get(name) ?? documented.get(name.replace(/_(?:bucket|sum|count)$/, ""))
    assert(base !== undefined, `${name} is no metric: ${expression}`)
    if (base.type !== "histogram") assert.isTrue(documented.has(name), name)
    for (const label of labels) {
      assert.include([...base.labels, ...ofTarget], label, `label of ${name}: ${expression}`)
    }
  }
}

const alerts = textOf("deploy/observability/alerts.yml").split(/^ +- alert: /m).slice(1).map((rule) => ({
  name: /^\w+/.exec(rule)?.[0] ?? "",
  expression: /^ +expr: (.*(?:\n {10,}.*)*)/m.exec(rule)?.[1] ?? "",
  runbook: /^ +runbook_url: (\S+)$/m.exec(rule)?.[1]
}))

describe("metrics", () => {
  it.live("are on the port of the API only with the embedded database on a loopback address", () =>
    Effect.gen(function*() {
      for (const [host, status] of [["0.0.0.0", 404], ["127.0.0.1", 200]] as const) {
        const server = yield* serveInProcess({ ...yield* databases.PGlite, HOST: host })
        assert.strictEqual((yield* ask(server, "/metrics")).status, status, host)
      }
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))

  it.live("all exist on a fresh server, so that an alert sees the first event of each", () =>
    Effect.gen(function*() {
      const { metrics } = yield* serveNode({
        LASTRO_DEMO: "off",
        LASTRO_LENDER: "http",
        LASTRO_LENDER_URL: "http://127.0.0.1:9"
      })
      const { text } = yield* ask(metrics, "/metrics")
      const families = familiesOf(text)
      assert.deepStrictEqual([...families.keys()].toSorted(), [...documented.keys()].toSorted())
      for (const [name, { labels }] of families) {
        assert.deepStrictEqual([...labels].toSorted(), documented.get(name)?.labels, name)
      }
      const route = "/api/v1/fgts/applications"
      for (const status of [201, 500, 503]) {
        assert.include(text, `http_server_requests_total{route="${route}",method="POST",status="${status}"} 0\n`)
      }
      assert.include(text, `lastro_lender_call_duration_seconds_count{lender="http",operation="poll"} 0\n`)
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))

  it.live("are those that the documentation lists, each with its help text, and none holds an id or personal data", () =>
    Effect.gen(function*() {
      const node = yield* serveNode({ LASTRO_DEMO: "on", LASTRO_SANDBOX_STEP_MS: "0" })
      // The sandbox has no circuit breaker.
      yield* Layer.build(layerHttpLender({ url: "http://127.0.0.1:9" }))
      const wrong = { grant_type: "password", username: "ana@example.com", password: "a wrong password" }
      assert.strictEqual((yield* ask(node.api, "/api/v1/oauth/token", { form: wrong })).status, 400)
      assert.strictEqual((yield* ask(node.api, "/metrics")).status, 404)

      const hasQuote = (text: string) => /^lastro_quotes_total\{outcome="offered"\} [1-9]/m.test(text)
      const { headers, text } = yield* ask(node.metrics, "/metrics").pipe(
        Effect.repeat({ until: (reply) => hasQuote(reply.text), schedule: Schedule.spaced("50 millis") })
      )
      assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      const families = familiesOf(text)
      assert.deepStrictEqual([...families.keys()].toSorted(), [...documented.keys()].toSorted())
      for (const [name, { help, labels, type, values }] of families) {
        assert.match(help ?? "", /^\S.{5,}/, name)
        assert.deepStrictEqual({ type, labels: [...labels].toSorted() }, documented.get(name), name)
        assert.strictEqual(name.endsWith("_total"), type === "counter", name)
        for (const value of values) {
          assert.notMatch(value, /@|\d{5}|[0-9a-f]{8}-[0-9a-f]{4}/, `${name} has the value ${value}`)
        }
      }
      assert.match(text, /^lastro_sign_ins_total\{grant="password",outcome="invalid_grant"\} [1-9]/m)
      assert.match(text, /^lastro_lender_calls_total\{lender="sandbox",operation="quote",outcome="answered"\} [1-9]/m)
      assert.match(text, /^lastro_database_connections_max\{pool="lastro"\} 10$/m)
      assert.include(text, "lastro_node_ready 1\n")
      assert.match(text, /^process_open_fds [1-9]/m)

      // An embedding service reads the same metrics, in the registry of its process.
      const embedded = yield* PrometheusMetrics.format()
      assert.deepStrictEqual([...familiesOf(embedded).keys()], [...families.keys()])
    }))
})

describe("the alerts and the dashboard", () => {
  it("use only metrics and labels that exist", () => {
    assert.isAbove(documented.size, 25)
    assert.isAbove(alerts.length, 15)
    for (const { expression, name } of alerts) {
      assert.isAbove(namesIn(expression).length, 0, name)
      assertMeasured(expression)
    }
    const expressions = Array.from(
      textOf("deploy/observability/dashboard.json").matchAll(/"(?:expr|query)": ("(?:[^"\\]|\\.)*")/g),
      ([, text = ""]) => String(JSON.parse(text))
    )
    assert.isAbove(expressions.length, 30)
    expressions.forEach(assertMeasured)
    // Every metric is shown or watched.
    const used = new Set(
      [...alerts.map(({ expression }) => expression), ...expressions].flatMap(namesIn).map(([name]) => name)
    )
    const unused = [...documented].filter(([name, { type }]) =>
      type === "histogram" ? !used.has(`${name}_bucket`) : !used.has(name)
    )
    assert.deepStrictEqual(unused, [])
  })

  it("have an entry in the runbook for each alert: symptom, where to look, what to do", () => {
    const [, ...sections] = textOf("docs/incidents.md").split(/^## /m)
    const entries = new Map(sections.map((section) => [section.split("\n", 1)[0] ?? "", section]))
    // No alert can report that somebody has read a key.
    assert.deepStrictEqual([...entries.keys()], [...alerts.map(({ name }) => name), "A leaked signing key"])
    for (const { name, runbook } of alerts) {
      assert.strictEqual(runbook, `docs/incidents.md#${name.toLowerCase()}`)
      const headings = Array.from((entries.get(name) ?? "").matchAll(/^\*\*(.+?)\*\*/gm), ([, heading]) => heading)
      assert.deepStrictEqual(headings, ["Symptom.", "Look here.", "Do this."], name)
    }
  })
})
