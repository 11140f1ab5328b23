import { assert, describe, it } from "@effect/vitest"
import { calendarDate } from "@lastro/domain/values"
import { Duration, Redacted, Result } from "effect"
import { IpNetwork } from "effect/net"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { poolOf } from "../src/layers/ports.ts"
import { secretNames } from "../src/settings/environment.ts"
import { judgeMaximumRate } from "../src/settings/lenderLimits.ts"
import { readSettings, type Settings } from "../src/settings/Settings.ts"
import { heapFlags, workerEnvironment } from "../src/settings/workers.ts"

const settings = (environment: Record<string, string>) => Result.getOrThrow(readSettings(environment))

const refusal = (environment: Record<string, string>): string => {
  const result = readSettings(environment)
  assert(Result.isFailure(result))
  return result.failure.message
}

const postgres = {
  DATABASE_URL: "postgres://lastro:hunter2hunter2@db:5432/lastro",
  LASTRO_ISSUER: "https://api.example.com/",
  LASTRO_LENDER: "sandbox"
}

/** Returns the lender of settings without codes. */
const onlyLender = ({ lenders }: Settings) => {
  assert(lenders.kind === "one")
  return lenders.setting
}

/** A secret for callbacks of the lender: 32 bytes. */
const secretsKey = Buffer.alloc(32, 7).toString("base64")
const callbackSecret = `whsec_${"c2Vj".repeat(10)}c2U=`

describe("settings", () => {
  it("have defaults", () => {
    const read = settings({ PATH: "/bin", PORT: "" })
    assert.strictEqual(read.port, 3000)
    assert.strictEqual(read.host, "127.0.0.1")
    assert.deepStrictEqual(read.database, { kind: "pglite", folder: ".data" })
    assert.strictEqual(read.demo, true)
    assert.deepStrictEqual(read.rate_limit, { rate: 50, burst: 100 })
    assert.deepStrictEqual(read.token_rate_limit, { rate: 10, burst: 50 })
    assert.deepStrictEqual(read.lenders, { kind: "one", setting: { kind: "sandbox", step_ms: 1000 } })
    assert.strictEqual(read.issuer, "http://127.0.0.1:3000")
    assert.strictEqual(Duration.toSeconds(read.request_timeout), 15)
    assert.strictEqual(read.concurrency, 8)
    assert.strictEqual(read.log_format, "json")
    assert.strictEqual(read.log_level, "Info")
  })

  it("require an issuer and a lender with DATABASE_URL", () => {
    const read = settings(postgres)
    assert.strictEqual(read.demo, false)
    assert.strictEqual(read.issuer, "https://api.example.com")
    assert(read.database.kind === "postgres")
    assert.strictEqual(Redacted.value(read.database.url), postgres.DATABASE_URL)
    assert.match(refusal({ ...postgres, LASTRO_ISSUER: "" }), /^LASTRO_ISSUER is required/)
    assert.match(refusal({ ...postgres, LASTRO_LENDER: "" }), /^LASTRO_LENDER is required/)
    assert.match(refusal({ ...postgres, LASTRO_LENDER: "http" }), /^LASTRO_LENDER_URL is required/)
  })

  it("refuse the URL or token of a lender that is not selected", () => {
    for (const lender of [{}, { LASTRO_LENDER: "" }, { LASTRO_LENDER: "sandbox" }]) {
      assert.strictEqual(
        refusal({ ...lender, LASTRO_LENDER_URL: "https://lender.example" }),
        "LASTRO_LENDER_URL requires LASTRO_LENDER=http"
      )
      assert.strictEqual(
        refusal({ ...lender, LASTRO_LENDER_TOKEN: "a token of the lender's" }),
        "LASTRO_LENDER_TOKEN requires LASTRO_LENDER=http"
      )
      assert.strictEqual(
        refusal({ ...lender, LASTRO_LENDER_CALLBACK_SECRET: callbackSecret }),
        "LASTRO_LENDER_CALLBACK_SECRET requires LASTRO_LENDER=http"
      )
      assert.deepStrictEqual(settings({ ...lender, LASTRO_LENDER_URL: "", LASTRO_LENDER_TOKEN: "" }).lenders, {
        kind: "one",
        setting: { kind: "sandbox", step_ms: 1000 }
      })
    }
  })

  it("read the time limit and the concurrency of requests", () => {
    const read = settings({ LASTRO_REQUEST_TIMEOUT: "500ms", LASTRO_CONCURRENCY: "20" })
    assert.strictEqual(Duration.toMillis(read.request_timeout), 500)
    assert.strictEqual(read.concurrency, 20)
    assert.match(refusal({ LASTRO_REQUEST_TIMEOUT: "15" }), /^LASTRO_REQUEST_TIMEOUT must be a duration/)
    assert.strictEqual(refusal({ LASTRO_CONCURRENCY: "3" }), "LASTRO_CONCURRENCY must be a whole number from 4 to 1000")
  })

  it("read the delay of a stop, which is 5 s with a database server and otherwise 0", () => {
    const delay = (environment: Record<string, string>) => Duration.toMillis(settings(environment).stop_delay)
    assert.deepStrictEqual([delay({}), delay(postgres)], [0, 5_000])
    const values = ["0", "0s", "500ms", "10m"].map((value) => delay({ ...postgres, LASTRO_STOP_DELAY: value }))
    assert.deepStrictEqual(values, [0, 0, 500, 600_000])
    for (const value of ["5", "-1s", "11m", "off"]) {
      assert.strictEqual(
        refusal({ LASTRO_STOP_DELAY: value }),
        "LASTRO_STOP_DELAY must be 0 or a duration of at most 10m, such as 500ms or 5s"
      )
    }
  })

  it("read the retention of personal data", () => {
    const { privacy } = settings({})
    assert.deepStrictEqual([privacy.retention_years, Duration.toDays(privacy.deleted_retention)], [5, 90])
    const read = settings({ LASTRO_RETENTION_YEARS: "10", LASTRO_DELETED_RETENTION: "30d" }).privacy
    assert.deepStrictEqual([read.retention_years, Duration.toDays(read.deleted_retention)], [10, 30])
    assert.match(refusal({ LASTRO_RETENTION_YEARS: "-1" }), /^LASTRO_RETENTION_YEARS must be a whole number/)
    assert.match(refusal({ LASTRO_DELETED_RETENTION: "90" }), /^LASTRO_DELETED_RETENTION must be a duration/)
  })

  it("read the hold of commissions", () => {
    assert.strictEqual(settings({}).commission_settings.hold_ms, 8 * 86_400_000)
    assert.strictEqual(settings({ LASTRO_COMMISSION_HOLD: "366d" }).commission_settings.hold_ms, 366 * 86_400_000)
    assert.strictEqual(settings({ LASTRO_COMMISSION_HOLD: "0" }).commission_settings.hold_ms, 0)
    assert.strictEqual(
      refusal({ LASTRO_COMMISSION_HOLD: "367d" }),
      "LASTRO_COMMISSION_HOLD must be a duration of at most 366d, such as 8d"
    )
  })

  it("read the deadline, the limits and the maximum rate of the lender", () => {
    assert.deepStrictEqual(settings({}).lender_settings, {
      quote_deadline_ms: 86_400_000,
      max_monthly_rate: null,
      max_monthly_rate_above_policy: false,
      requests_per_second: undefined,
      max_in_flight: undefined
    })
    const read = settings({
      LASTRO_QUOTE_DEADLINE: "2h",
      LASTRO_MAX_MONTHLY_RATE: "1.8",
      LASTRO_LENDER_RATE: "0.5",
      LASTRO_LENDER_MAX_IN_FLIGHT: "3"
    })
    assert.deepStrictEqual<unknown>(read.lender_settings, {
      quote_deadline_ms: 7_200_000,
      max_monthly_rate: 1.8,
      max_monthly_rate_above_policy: false,
      requests_per_second: 0.5,
      max_in_flight: 3
    })
    const unlimited = settings({ LASTRO_LENDER_RATE: "off", LASTRO_LENDER_MAX_IN_FLIGHT: "off" }).lender_settings
    assert.deepInclude(unlimited, { requests_per_second: null, max_in_flight: null })
    for (const value of ["0", "-1", "1e3", "x", "1,5"]) {
      assert.match(refusal({ LASTRO_LENDER_RATE: value }), /^LASTRO_LENDER_RATE must be off or a number of calls/)
    }
    assert.match(refusal({ LASTRO_LENDER_MAX_IN_FLIGHT: "0" }), /must be off or a whole number from 1 to 10000$/)
    assert.match(refusal({ LASTRO_QUOTE_DEADLINE: "24" }), /^LASTRO_QUOTE_DEADLINE must be a duration/)
    for (const value of ["0", "101", "1,8", "2%"]) {
      assert.match(refusal({ LASTRO_MAX_MONTHLY_RATE: value }), /^LASTRO_MAX_MONTHLY_RATE must be a rate in percent/)
    }
  })

  it("POLICY-09 refuse a maximum rate above the policy in force, unless the operator confirms it", () => {
    const judge = (rate: string, confirmed: string, day: string) =>
      Result.match(
        judgeMaximumRate(
          settings({ LASTRO_MAX_MONTHLY_RATE: rate, LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY: confirmed }).lender_settings,
          calendarDate(day)
        ),
        { onSuccess: () => "accepted", onFailure: ({ message }) => message }
      )
    for (const rate of ["", "0.5", "1.8"]) assert.strictEqual(judge(rate, "", "2026-11-24"), "accepted")
    assert.strictEqual(judge("2.05", "", "2023-11-30"), "accepted")
    assert.match(
      judge("1.81", "", "2026-11-24"),
      /^LASTRO_MAX_MONTHLY_RATE must be at most 1\.8, the limit of the policy/
    )
    assert.match(judge("1.81", "no", "2026-11-24"), /LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY=yes$/)
    assert.strictEqual(judge("4.99", "yes", "2026-11-24"), "accepted")
    assert.match(refusal({ LASTRO_MAX_MONTHLY_RATE_ABOVE_POLICY: "true" }), /must be one of: yes, no$/)
  })

  it("refuse an unknown variable", () => {
    assert.match(
      refusal({ LASTRO_DATADIR: "x" }),
      /^LASTRO_DATADIR is not a setting\. The settings are LASTRO_BOOTSTRAP_ADMIN_EMAIL, /
    )
  })

  it.each([
    ["PORT", ["x", "-1", "65536", "80 ", "1e3"]],
    ["DATABASE_URL", [
      "mysql://x/y",
      "postgres://",
      "db.example.com",
      "postgres://u:1#2@h/db",
      "postgres://u:1/2@h/db",
      "postgres://u@h/db?schema=",
      "postgres://u@h/db?schema=pg_lastro",
      "postgres://u@h/db?schema=a&schema=a",
      "postgres://u@h/db?sslmode=banana",
      "postgres://u@h/db?ssl=1",
      "postgres://u@h/db?sslmodus=require"
    ]],
    ["LASTRO_SCHEMA", ["pg_lastro", "information_schema", "$user", "x".repeat(64), "ã".repeat(32)]],
    ["LASTRO_DB_POOL", ["0", "1001", "ten", "1.5"]],
    ["LASTRO_DB_POOL_TIMEOUT", ["5", "0s", "-1s", "1.5s"]],
    ["LASTRO_DB_CONNECT_TIMEOUT", ["5", "0s", "5 s"]],
    ["LASTRO_DB_STATEMENT_TIMEOUT", ["10", "0s", "none"]],
    ["LASTRO_BOOTSTRAP_ADMIN_EMAIL", ["x", "a b@example.com"]],
    ["LASTRO_BOOTSTRAP_ADMIN_PASSWORD", ["eleven char"]],
    ["LASTRO_BOOTSTRAP_CLIENT_ID", ["a b", "lastro", "x".repeat(65)]],
    ["LASTRO_BOOTSTRAP_CLIENT_SECRET", ["fifteen-charact", "sixteen chars ok", "x".repeat(129)]],
    ["LASTRO_DEMO", ["yes", "ON", "1"]],
    ["LASTRO_RATE_LIMIT", ["50", "50:", "0:1", "1:0", "a:b", "50:100:1", "1.5:2"]],
    ["LASTRO_TOKEN_RATE_LIMIT", ["10", "on", "0:1"]],
    ["LASTRO_LENDER", ["Sandbox", "none"]],
    ["LASTRO_LENDER_URL", ["ftp://x", "lender"]],
    ["LASTRO_SANDBOX_STEP_MS", ["-1", "1s", "1.5"]],
    ["LASTRO_ISSUER", [
      "api.example.com",
      "file:///etc",
      "https://u:p@x",
      "https://x?y",
      "https://x/#y",
      "https://x//"
    ]],
    ["LASTRO_TRUSTED_PROXIES", ["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/8;", "x/8", "10.0.0.0/8/8"]],
    ["LASTRO_SECRETS_KEY", ["secret", "c2hvcnQ=", `${secretsKey},`, `${secretsKey} ${secretsKey}`]],
    ["LASTRO_WEBHOOK_ALLOW", [
      "10.0.0.1",
      "10.0.0.0/33",
      "10.0.0.1:4000",
      "hooks.example:443",
      "localhost",
      "127.0.0.1:0",
      "127.0.0.1:70000",
      "127.0.0.1:4000,",
      "http://localhost:4000"
    ]],
    ["LASTRO_METRICS_PORT", ["x", "70000", "3000"]],
    ["LASTRO_LOG_FORMAT", ["JSON", "text"]],
    ["LASTRO_LOG_LEVEL", ["INFO", "verbose"]],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", ["collector:4318"]]
  ])("refuse an invalid %s with one line that names it", (name, values) => {
    for (const value of values) {
      const message = refusal({ [name]: value })
      assert.match(message, new RegExp(`^${name} (?:must|has to) `))
      assert.notInclude(message, "\n")
    }
  })

  it("limit the connections to PostgreSQL", () => {
    const { database } = settings({
      ...postgres,
      LASTRO_DB_POOL: "20",
      LASTRO_DB_POOL_TIMEOUT: "500ms",
      LASTRO_DB_STATEMENT_TIMEOUT: "1m"
    })
    assert.deepInclude(database, {
      kind: "postgres",
      maxConnections: 20,
      poolTimeout: Duration.millis(500),
      connectTimeout: undefined,
      statementTimeout: Duration.minutes(1)
    })
  })

  it("divide the connections and the concurrent requests among the workers", () => {
    const read = (environment: Record<string, string>) => settings({ ...postgres, ...environment })
    const sharesOf = (environment: Record<string, string>) => {
      const { concurrency, database, node, workers } = read(environment)
      const places = Array.from({ length: workers }, (_, index) => ({ index: index + 1, workers }))
      return places.map((place) => {
        const own = workerEnvironment(
          { ...postgres, ...environment },
          { concurrency, node, pool: poolOf(database) },
          place
        )
        const worker = Result.getOrThrow(readSettings(own))
        assert.deepStrictEqual([worker.workers, worker.node], [1, `${node}/${place.index}`])
        return [poolOf(worker.database), worker.concurrency]
      })
    }
    assert.strictEqual(read({}).workers, 1)
    assert.strictEqual(read({ LASTRO_WORKERS: "auto" }).workers, availableParallelism())
    assert.deepStrictEqual(sharesOf({ LASTRO_WORKERS: "2" }), [[5, 4], [5, 4]])
    assert.deepStrictEqual(sharesOf({ LASTRO_WORKERS: "3" }), [[5, 4], [5, 4], [5, 4]])
    assert.deepStrictEqual(
      sharesOf({ LASTRO_WORKERS: "2", LASTRO_DB_POOL: "7", LASTRO_CONCURRENCY: "9" }),
      [[4, 5], [3, 4]]
    )
    const refuses = (environment: Record<string, string>) =>
      refusal({ ...postgres, LASTRO_WORKERS: "4", ...environment })
    assert.match(refuses({ LASTRO_DB_POOL: "3" }), /^LASTRO_DB_POOL must be at least 4: one connection for each/)
    assert.match(refuses({ LASTRO_CONCURRENCY: "15" }), /^LASTRO_CONCURRENCY must be at least 16: 4 for each/)
    assert.match(refuses({ LASTRO_WORKERS: "0" }), /^LASTRO_WORKERS must be auto, or a whole number from 1 to 64/)
    assert.match(refusal({ LASTRO_WORKERS: "2" }), /^LASTRO_WORKERS must be 1 with the embedded database.*DATABASE_URL/)
    assert.strictEqual(settings({ LASTRO_WORKERS: "auto" }).workers, 1)
  })

  it("limit the heap of workers by the memory of the machine, unless the operator has limited it", () => {
    const gibibyte = 2 ** 30
    assert.deepStrictEqual(heapFlags("", 16 * gibibyte, 2), ["--max-semi-space-size=8", "--max-old-space-size=256"])
    assert.deepStrictEqual(heapFlags("", gibibyte, 3), ["--max-semi-space-size=8", "--max-old-space-size=170"])
    assert.deepStrictEqual(heapFlags("", gibibyte / 2, 4), ["--max-semi-space-size=8", "--max-old-space-size=128"])
    assert.deepStrictEqual(heapFlags("--max_semi_space_size=4", gibibyte, 2), ["--max-old-space-size=256"])
    assert.deepStrictEqual(heapFlags("--max-old-space-size-percentage=20 --max-semi-space-size=2", gibibyte, 2), [])
  })

  it("select the schema of the tables, in DATABASE_URL or in LASTRO_SCHEMA", () => {
    const inUrl = { ...postgres, DATABASE_URL: `${postgres.DATABASE_URL}?schema=My%20schema` }
    assert.notProperty(settings(postgres).database, "schema")
    assert.propertyVal(settings(inUrl).database, "schema", "My schema")
    assert.propertyVal(settings({ ...postgres, LASTRO_SCHEMA: "lastro" }).database, "schema", "lastro")
    assert.propertyVal(settings({ ...inUrl, LASTRO_SCHEMA: "My schema" }).database, "schema", "My schema")
    assert.deepStrictEqual(settings({ LASTRO_SCHEMA: "lastro" }).database, {
      kind: "pglite",
      folder: ".data",
      schema: "lastro"
    })
    assert.strictEqual(
      refusal({ ...inUrl, LASTRO_SCHEMA: "my schema" }),
      "LASTRO_SCHEMA must be the same as the parameter schema of DATABASE_URL. Set only one of them"
    )
  })

  it("describe PostgreSQL by the variables of libpq", () => {
    const { DATABASE_URL: _, ...others } = postgres
    const urlOf = (environment: Record<string, string>) => {
      const { database } = settings({ ...others, ...environment })
      return database.kind === "postgres" ? Redacted.value(database.url) : database.kind
    }
    assert.strictEqual(urlOf({ PGHOST: "db", PGUSER: "joe" }), "postgres:///?host=db&user=joe")
    assert.strictEqual(
      urlOf({ DATABASE_URL: "postgres://joe@db/x", PGPASSWORD: "hunter2" }),
      "postgres://joe@db/x?password=hunter2"
    )
    assert.strictEqual(urlOf({ PGUSER: "joe" }), "pglite")
    assert.strictEqual(urlOf({ PGHOST: "db", LASTRO_DATA_DIR: "memory" }), "pglite")
    assert.match(refusal({ PGHOST: "db", LASTRO_LENDER: "sandbox" }), /^LASTRO_ISSUER is required with PostgreSQL/)
    assert.strictEqual(
      refusal({ ...postgres, PGSSLMODE: "hunter2" }),
      "PGSSLMODE must be disable, require, verify-ca or verify-full"
    )
    assert.match(
      refusal({ ...postgres, PGPASSFILE: "hunter2" }),
      /^PGPASSFILE must not be set, [^\n]*\. Set PGPASSWORD/
    )
  })

  it("name a read replica, only with PostgreSQL", () => {
    const readUrl = "postgres://joe@replica/x"
    const { database } = settings({ ...postgres, LASTRO_READ_DATABASE_URL: readUrl, PGPASSWORD: "hunter2" })
    assert(database.kind === "postgres" && database.readUrl !== undefined)
    assert.strictEqual(Redacted.value(database.readUrl), `${readUrl}?password=hunter2`)
    assert.match(refusal({ LASTRO_READ_DATABASE_URL: readUrl }), /^LASTRO_READ_DATABASE_URL requires DATABASE_URL/)
    assert.match(refusal({ ...postgres, LASTRO_READ_DATABASE_URL: "replica" }), /^LASTRO_READ_DATABASE_URL must be a /)
  })

  it("read each secret from a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "lastro-secrets-"))
    const file = join(folder, "secret")
    const http = { LASTRO_LENDER: "http", LASTRO_LENDER_URL: "https://lender.example" }
    try {
      const settingsWith = (name: string, content: string, environment: Record<string, string> = {}) => {
        writeFileSync(file, content)
        return settings({ ...environment, [`${name}_FILE`]: file })
      }
      const { database } = settingsWith("PGPASSWORD", "hunter2\n", postgres)
      assert(database.kind === "postgres")
      assert.include(Redacted.value(database.url), "hunter2hunter2@db")
      assert.strictEqual(
        settingsWith("DATABASE_URL", `${postgres.DATABASE_URL}\r\n`, { ...postgres, DATABASE_URL: "" }).database.kind,
        "postgres"
      )
      const lender = onlyLender(settingsWith("LASTRO_LENDER_TOKEN", " a token \n", http))
      assert.deepStrictEqual(lender.kind === "http" ? lender.token : undefined, Redacted.make(" a token "))
      const { bootstrap } = settingsWith("LASTRO_BOOTSTRAP_CLIENT_SECRET", "a-secret-for-the-tests")
      assert.deepStrictEqual(bootstrap.client_secret, Redacted.make("a-secret-for-the-tests"))

      for (const name of secretNames) {
        const variable = `${name}_FILE`
        assert.strictEqual(
          refusal({ [variable]: file, [name]: "hunter2" }),
          `${variable} must not be set together with ${name}`
        )
        assert.strictEqual(
          refusal({ [variable]: join(folder, "hunter2") }),
          `${variable} must be the path of a readable file (ENOENT)`
        )
        writeFileSync(file, "\n")
        assert.strictEqual(refusal({ [variable]: file }), `${variable} names an empty file. Write the secret into it`)
      }
      writeFileSync(file, "hunter2")
      assert.strictEqual(
        refusal({ LASTRO_BOOTSTRAP_ADMIN_PASSWORD_FILE: file }),
        "LASTRO_BOOTSTRAP_ADMIN_PASSWORD_FILE names a file whose content must have 12 to 128 characters"
      )
      assert.strictEqual(
        refusal({ LASTRO_LENDER_TOKEN_FILE: file }),
        "LASTRO_LENDER_TOKEN_FILE requires LASTRO_LENDER=http"
      )
      assert.match(refusal({ LASTRO_ISSUER_FILE: file }), /^LASTRO_ISSUER_FILE is not a setting/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    [{}, { rate: 10, burst: 50 }],
    [{ LASTRO_RATE_LIMIT: "500:1000" }, { rate: 10, burst: 50 }],
    [{ LASTRO_RATE_LIMIT: "2:80" }, { rate: 2, burst: 50 }],
    [{ LASTRO_RATE_LIMIT: "1:5" }, { rate: 1, burst: 5 }],
    [{ LASTRO_RATE_LIMIT: "off" }, "off"],
    [{ LASTRO_RATE_LIMIT: "off", LASTRO_TOKEN_RATE_LIMIT: "5:10" }, { rate: 5, burst: 10 }],
    [{ LASTRO_RATE_LIMIT: "1:5", LASTRO_TOKEN_RATE_LIMIT: "100:200" }, { rate: 100, burst: 200 }],
    [{ LASTRO_TOKEN_RATE_LIMIT: "off" }, "off"]
  ])("limit the token endpoint with %o to %o", (environment, limit) => {
    assert.deepStrictEqual<unknown>(settings(environment).token_rate_limit, limit)
  })

  it("name the node by its address by default", () => {
    assert.strictEqual(settings({}).node, `${hostname()}:3000`)
    assert.strictEqual(settings({ PORT: "8080", LASTRO_NODE: "" }).node, `${hostname()}:8080`)
    assert.strictEqual(settings({ PORT: "8080", LASTRO_NODE: "lastro-0" }).node, "lastro-0")
    // With port 0 the name is unique to the process.
    assert.strictEqual(settings({ PORT: "0" }).node, `${hostname()}:pid-${process.pid}`)
  })

  it("never repeat a value", () => {
    assert.notInclude(refusal({ DATABASE_URL: "mysql://lastro:hunter2@db/lastro" }), "hunter2")
    assert.strictEqual(
      refusal({ DATABASE_URL: "postgres://lastro:hunter2#hunter2@db/lastro" }),
      "DATABASE_URL must be percent-encoded: the user, the password, the database or a parameter contains an unencoded #, /, ? or @"
    )
  })

  it("parse valid values", () => {
    const read = settings({
      HOST: "::1",
      LASTRO_DATA_DIR: "memory",
      LASTRO_DEMO: "off",
      LASTRO_RATE_LIMIT: "off",
      LASTRO_TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8",
      LASTRO_METRICS_PORT: "9090",
      LASTRO_LOG_FORMAT: "pretty",
      LASTRO_LOG_LEVEL: "debug",
      LASTRO_LENDER: "http",
      LASTRO_LENDER_URL: "https://lender.example",
      LASTRO_LENDER_TOKEN: "a token of the lender's",
      LASTRO_LENDER_CALLBACK_SECRET: callbackSecret,
      LASTRO_LENDER_KYC_FIELDS: "documents, profession"
    })
    assert.deepStrictEqual(read.database, { kind: "pglite", folder: undefined })
    assert.strictEqual(read.demo, false)
    assert.strictEqual(read.rate_limit, "off")
    assert.deepStrictEqual(read.trusted_proxies.map(IpNetwork.format), ["10.0.0.0/8", "fd00::/8"])
    assert.strictEqual(read.metrics_port, 9090)
    assert.strictEqual(read.log_format, "pretty")
    assert.strictEqual(read.log_level, "Debug")
    assert.strictEqual(read.issuer, "http://[::1]:3000")
    assert.strictEqual(settings({ PORT: "80" }).issuer, "http://127.0.0.1")
    assert.deepStrictEqual(read.lenders, {
      kind: "one",
      setting: {
        kind: "http",
        url: "https://lender.example",
        token: Redacted.make("a token of the lender's"),
        callback_secret: Redacted.make(callbackSecret),
        kyc: { kyc_fields: ["profession", "documents"] }
      }
    })
  })

  it("read the key of secrets, and the endpoints that are allowed although they are not public", () => {
    const allowed = { LASTRO_WEBHOOK_ALLOW: "10.0.0.0/8, localhost:4000,[::1]:4001 ,127.0.0.2:4002,fd00::/8" }
    const { webhooks } = settings({ ...postgres, ...allowed, LASTRO_SECRETS_KEY: secretsKey })
    assert.deepStrictEqual(webhooks.allow.map(IpNetwork.format), ["10.0.0.0/8", "fd00::/8"])
    assert.deepStrictEqual(webhooks.isLoopbackAllowed, ["localhost:4000", "[::1]:4001", "127.0.0.2:4002"])
    assert.deepStrictEqual(
      webhooks.secretsKeys.map(({ bytes }) => Buffer.from(Redacted.value(bytes)).toString("base64")),
      [secretsKey]
    )
    assert.deepStrictEqual(settings(postgres).webhooks, { secretsKeys: [], allow: [], isLoopbackAllowed: [] })
    assert.strictEqual(settings(allowed).webhooks.isLoopbackAllowed, true)
    assert.lengthOf(settings({ LASTRO_SECRETS_KEY: `${secretsKey},${secretsKey}` }).webhooks.secretsKeys, 2)
  })

  const qitech = {
    LASTRO_LENDER: "qitech",
    LASTRO_QITECH_URL: "https://api-auth.sandbox.qitech.app",
    LASTRO_QITECH_API_KEY: "a key",
    LASTRO_QITECH_PRIVATE_KEY_FILE: "/keys/private.pem",
    LASTRO_QITECH_PUBLIC_KEY_FILE: "/keys/public.pem",
    LASTRO_QITECH_TABLES: "standard:Tabela Standard:1.8; plus:Tabela Plus:1.8:10%;light:Tabela Light:1.49:10.00"
  }

  it("read several lenders with codes, each with settings of its own", () => {
    const read = settings({
      LASTRO_LENDERS: "parana=http, demo-2=sandbox",
      LASTRO_LENDER_PARANA_URL: "https://lender.example",
      LASTRO_LENDER_PARANA_TOKEN: "a token",
      LASTRO_LENDER_PARANA_RATE: "2.5",
      LASTRO_LENDER_PARANA_DISBURSEMENT_METHODS: "PIX",
      LASTRO_LENDER_PARANA_LABEL: "Paraná Banco",
      LASTRO_LENDER_DEMO_2_STATUS: "draining",
      LASTRO_QUOTE_PATIENCE: "20s"
    }).lenders
    assert(read.kind === "several")
    assert.strictEqual(read.patience_ms, 20_000)
    assert.deepInclude(settings({ LASTRO_LENDERS: "a=sandbox", LASTRO_QUOTE_PATIENCE: "0s" }).lenders, {
      patience_ms: 0
    })
    assert.deepStrictEqual(
      read.lenders.map(({ code, label, setting, settings: own, status }) => [
        code,
        label,
        status,
        setting.kind,
        own.requests_per_second,
        setting.kind === "http" ? setting.kyc : undefined
      ]),
      [
        ["parana", "Paraná Banco", "active", "http", 2.5, { disbursement_methods: ["PIX"] }],
        ["demo-2", "demo-2", "draining", "sandbox", undefined, undefined]
      ]
    )
  })

  it("refuse wrong settings of several lenders with the variable that is wrong", () => {
    const refused = (variables: Readonly<Record<string, string>>) => refusal({ ...variables }).split(" ")[0]
    const two = { LASTRO_LENDERS: "a=http,b=sandbox", LASTRO_LENDER_A_URL: "https://lender.example" }
    assert.deepStrictEqual(
      [
        refused({ LASTRO_LENDERS: "A=http" }),
        refused({ LASTRO_LENDERS: "A=http", LASTRO_LENDER_A_URL: "https://lender.example" }),
        refused({ LASTRO_LENDERS: "a=sandbox,a=sandbox" }),
        refused({ LASTRO_LENDERS: "a=http" }),
        refused({ ...two, LASTRO_LENDER: "sandbox" }),
        refused({ ...two, LASTRO_LENDER_URL: "https://lender.example" }),
        refused({ ...two, LASTRO_LENDER_B_URL: "https://lender.example" }),
        refused({ ...two, LASTRO_LENDER_B_KYC_FIELDS: "profession" }),
        refused({ ...two, LASTRO_LENDER_A_KYC_FIELDS: "profession,income" }),
        refused({ ...two, LASTRO_LENDER_A_DISBURSEMENT_METHODS: "," }),
        refused({ ...two, LASTRO_LENDER_C_URL: "https://lender.example" }),
        refused({ ...two, LASTRO_LENDER_A_STATUS: "gone" }),
        refused({ ...two, LASTRO_LENDER_A_LABEL: "x".repeat(101) }),
        refused({ ...two, LASTRO_LENDER_A_LABEL: "Banco\nA" }),
        refused({ LASTRO_QUOTE_PATIENCE: "20s" })
      ],
      [
        "LASTRO_LENDERS",
        "LASTRO_LENDERS",
        "LASTRO_LENDERS",
        "LASTRO_LENDER_A_URL",
        "LASTRO_LENDER",
        "LASTRO_LENDER_URL",
        "LASTRO_LENDER_B_URL",
        "LASTRO_LENDER_B_KYC_FIELDS",
        "LASTRO_LENDER_A_KYC_FIELDS",
        "LASTRO_LENDER_A_DISBURSEMENT_METHODS",
        "LASTRO_LENDER_C_URL",
        "LASTRO_LENDER_A_STATUS",
        "LASTRO_LENDER_A_LABEL",
        "LASTRO_LENDER_A_LABEL",
        "LASTRO_QUOTE_PATIENCE"
      ]
    )
  })

  it("read QI Tech as the lender", () => {
    const lender = onlyLender(settings(qitech))
    assert(lender.kind === "qitech")
    assert.deepStrictEqual<unknown>(
      lender.tables.map(({ code, fee, monthly_rate }) => [code, monthly_rate, fee]),
      [
        ["standard", 1.8, { kind: "none" }],
        ["plus", 1.8, { kind: "percent", percent: 10 }],
        ["light", 1.49, { kind: "fixed", amount: 10_00 }]
      ]
    )
    assert.deepStrictEqual([lender.bank_transfer, lender.refunds, lender.documents.allow], ["pix", true, []])
    for (const name of Object.keys(qitech).filter((one) => one !== "LASTRO_LENDER")) {
      assert.strictEqual(refusal({ ...qitech, [name]: "" }), `${name} is required with LASTRO_LENDER=qitech`)
    }
    for (const tables of ["standard", "a:b:200", "a:b:1.8:x", "a:b:1.8:101%", "a:b:1.8;a:c:1.9", ";", "a:b:1.8:1:2"]) {
      assert.match(refusal({ ...qitech, LASTRO_QITECH_TABLES: tables }), /^LASTRO_QITECH_TABLES must be tables/)
    }
    assert.match(
      refusal({ ...qitech, LASTRO_QITECH_CALLBACK_PATH: "x" }),
      /^LASTRO_QITECH_CALLBACK_PATH must be a path/
    )
    assert.strictEqual(
      refusal({ LASTRO_QITECH_API_KEY: "a key" }),
      "LASTRO_QITECH_API_KEY requires LASTRO_LENDER=qitech"
    )
  })
})
