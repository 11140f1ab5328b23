import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { millisOf, timestampOf } from "@lastro/domain/values"
import { storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"
import { readdirSync, rmSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { vi } from "vitest"
import { freshDatabase, migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { CommandEnvironment, type CommandPorts, withPorts } from "../src/commands/withPorts.ts"
import { lastro } from "../src/run.ts"
import { ask, at, signIn, tokenOf } from "./running/asking.ts"
import { administer } from "./running/databases.ts"
import { layerServer, runInProcess, Server } from "./running/inProcess.ts"
import { type Environment } from "./running/lastro.ts"
import { emptyFolder, keyFile } from "./running/machine.ts"
import { credentials, onPostgres } from "./running/serving.ts"

/** Runs a command on the database of the shared server. */
const run = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
  const { database } = yield* Server
  return yield* runInProcess(args, { ...onPostgres(database), ...credentials })
})

/** Runs a command that must succeed, and returns its output. */
const printed = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
  const { ending, err, out } = yield* run(...args)
  assert.deepStrictEqual([ending, err], [0, ""], out)
  return out
})

/** Runs a command that must succeed, and returns the JSON value that it prints. */
const parsed = (...args: ReadonlyArray<string>) => Effect.map(printed(...args), (text) => JSON.parse(text))

/** Runs a command that must fail with an exit code, and returns its error line. */
const failure = Effect.fnUntraced(function*(code: number, ...args: ReadonlyArray<string>) {
  const { ending, err, out } = yield* run(...args)
  assert.deepStrictEqual([ending, out], [code, ""])
  const [, line] = /^lastro: ([^\n]*)\n$/.exec(err) ?? []
  return line
})

/** Runs a command with wrong arguments, and returns its error line. */
const refusal = (...args: ReadonlyArray<string>) => failure(2, ...args)

/** Runs a command with the id of no record, and returns its error line. */
const notFound = (...args: ReadonlyArray<string>) => failure(1, ...args)

const credentialsIn = (text: string): { readonly id: string; readonly secret: string } => {
  const [, id = "", secret = ""] = /^client_id +(\S+)\nclient_secret +(\S+)$/m.exec(text) ?? []
  assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
  return { id, secret }
}

const ownPartner = Effect.gen(function*() {
  const server = yield* Server
  const partners = yield* ask(server, "/api/v1/partners?sort=created_at", { token: tokenOf(yield* signIn(server)) })
  return String(at(partners, "content", 0, "partner_id"))
})

layer(layerServer(), { timeout: 60_000, excludeTestServices: true })(
  "a command on a running server's database",
  (it) => {
    it.effect("creates, lists, rotates and revokes API clients", () =>
      Effect.gen(function*() {
        const server = yield* Server
        const partner = yield* ownPartner
        const list = (token: string) => Effect.map(ask(server, "/api/v1/partners", { token }), ({ status }) => status)

        const made = credentialsIn(
          yield* printed("clients", "create", "--partner", partner, "--group", "viewer", "--name", "ERP")
        )
        const first = tokenOf(yield* signIn(server, made.id, made.secret))
        assert.strictEqual(yield* list(first), 200)
        const listed = yield* printed("clients", "list")
        assert.match(listed, new RegExp(`^${made.id}\\t${partner}\\tviewer\\t\\S+Z\\tactive\\tERP$`, "m"))
        assert.notInclude(listed, made.secret)

        const overlapped = yield* parsed("clients", "rotate", made.id, "--overlap", "1h", "--json")
        const overlapping = { id: overlapped.client_id, secret: String(overlapped.client_secret) }
        assert.deepInclude(overlapped, { client_id: made.id, ended_earlier: false, overlap_seconds: 3_600 })
        assert.strictEqual((yield* signIn(server, made.id, made.secret)).status, 200)
        assert.strictEqual((yield* signIn(server, made.id, overlapping.secret)).status, 200)
        assert.strictEqual(yield* list(first), 200)
        assert.strictEqual(
          yield* refusal("clients", "rotate", made.id, "--overlap", "31d"),
          "--overlap must be at most 30d."
        )
        assert.strictEqual(
          yield* refusal("clients", "rotate", made.id, "--overlap", "soon"),
          "--overlap must be a duration, such as 500ms, 30s, 15m, 24h or 90d, or 0."
        )

        assert.match(
          (yield* refusal("clients", "rotate", made.id)) ?? "",
          /^An earlier secret is still valid, .* Nothing was changed\. .*--end-earlier/
        )
        const last = yield* printed("clients", "rotate", made.id, "--overlap", "0")
        assert.include(last, "An even older secret was still valid. It is no longer valid.")
        const rotated = credentialsIn(last)
        assert.strictEqual(rotated.id, made.id)
        assert.strictEqual((yield* signIn(server, made.id, made.secret)).status, 401)
        assert.strictEqual((yield* signIn(server, made.id, overlapping.secret)).status, 401)
        assert.strictEqual(yield* list(first), 401)
        const second = tokenOf(yield* signIn(server, made.id, rotated.secret))
        assert.strictEqual(yield* list(second), 200)

        assert.strictEqual(yield* printed("clients", "revoke", made.id, "--yes"), `${made.id} is revoked.\n`)
        assert.strictEqual(yield* list(second), 401)
        assert.strictEqual((yield* signIn(server, made.id, rotated.secret)).status, 401)
        assert.strictEqual(
          yield* notFound("clients", "rotate", made.id),
          "The API client does not exist or is revoked."
        )
        assert.match(yield* printed("clients", "list"), new RegExp(`^${made.id}\\t.*\\t\\S+Z\\t\\S+Z\\tERP$`, "m"))
      }))

    it.effect("refuses a client of an unknown partner", () =>
      Effect.gen(function*() {
        const of = (partner: string) => ["clients", "create", "--group", "admin", "--partner", partner] as const
        assert.deepStrictEqual(
          yield* Effect.all([refusal(...of("x")), notFound(...of("01a1fd4a-d5f1-777b-b523-565628723e72"))], {
            concurrency: 2
          }),
          ["The partner id must be a UUID.", "The partner does not exist."]
        )
      }))

    it.effect("creates a root partner, and deactivates and activates a subtree from the next request on", () =>
      Effect.gen(function*() {
        const server = yield* Server
        const root = (name: string, document: string) =>
          ["partners", "create-root", "--type", "pj", "--name", name, "--document", document] as const
        const contact = ["--email", "root@example.com", "--phone", "11987654321"] as const
        const [id = "", name] = (yield* printed(...root("Another tree", "12ABC34501DE35"), ...contact)).trim().split(
          "\t"
        )
        assert.strictEqual(name, "Another tree")
        assert.strictEqual(
          yield* refusal(...root("", "11111111111111"), "--email", "x@example.com", "--phone", "1"),
          "Invalid options. partner.document_number: The check digits are incorrect. partner.name: The value must have at least 2 characters. " +
            "partner.phone: The expected format is: area code and 8 or 9 digits."
        )

        const above = credentialsIn(yield* printed("clients", "create", "--partner", id, "--group", "admin"))
        const token = tokenOf(yield* signIn(server, above.id, above.secret))
        const child = yield* ask(server, "/api/v1/partners", {
          token,
          json: {
            partner: {
              type: "pj",
              name: "Below it",
              email: "below@example.com",
              phone: "11987654321",
              document_number: "11222333000181"
            }
          }
        })
        const below = credentialsIn(
          yield* printed("clients", "create", "--group", "admin", "--partner", String(at(child, "data", "partner_id")))
        )
        const childToken = tokenOf(yield* signIn(server, below.id, below.secret))
        const statuses = Effect.gen(function*() {
          const mine = yield* ask(server, "/api/v1/partners", { token })
          const theirs = yield* ask(server, "/api/v1/partners", { token: childToken })
          const fresh = yield* signIn(server, below.id, below.secret)
          return [mine.status, theirs.status, fresh.status]
        })
        assert.deepStrictEqual(yield* statuses, [200, 200, 200])
        assert.strictEqual(yield* printed("partners", "deactivate", id, "--yes"), `${id} is inactive.\n`)
        assert.deepStrictEqual(yield* statuses, [401, 401, 401])
        assert.deepStrictEqual(yield* parsed("partners", "activate", id, "--json"), {
          partner_id: id,
          status: "active"
        })
        assert.deepStrictEqual(yield* statuses, [200, 200, 200])
        assert.strictEqual(yield* refusal("partners", "deactivate", "x"), "The partner id must be a UUID.")
      }))

    it.effect("exports a person as JSON, erases the person, and lists both in the audit", () =>
      Effect.gen(function*() {
        const server = yield* Server
        const token = tokenOf(yield* signIn(server))
        const cpf = "52998224725"
        const customer = { cpf, birth_date: "1990-05-17", name: "Bia Privada", email: "bia.privada@example.com" }
        const created = yield* ask(server, "/api/v1/fgts/applications", { token, json: { external_id: "1", customer } })
        const id = String(at(created, "application_id"))
        const held = JSON.parse(yield* printed("privacy", "export", "--cpf", "529.982.247-25")) as {
          readonly applications: ReadonlyArray<{ readonly application_id: string; readonly customer: unknown }>
        }
        assert.deepStrictEqual(held.applications.map((one) => [one.application_id, one.customer]), [
          [id, { ...customer, phone: null }]
        ])
        const { database } = yield* Server
        yield* administer(
          database,
          `insert into node (id, label, seen_at, clock_skew_ms, schema_version)
          values (gen_random_uuid(), 'old', now() + interval '1 hour', 0, 17)`
        )
        assert.deepStrictEqual(yield* run("privacy", "erase", "--yes", "--cpf", cpf), {
          out: "",
          err: "lastro: Nodes of a version without this command are running (old), and nothing was erased. " +
            "Upgrade these nodes, and repeat the command after 10 s.\n",
          ending: 2
        })
        yield* administer(database, "delete from node where label = 'old'")
        assert.strictEqual(
          yield* printed("privacy", "erase", "--yes", "--cpf", cpf),
          `cancelled  application ${id}\nerased     application ${id}\n`
        )
        assert.deepStrictEqual(yield* parsed("privacy", "erase", "--yes", "--cpf", cpf, "--json"), {
          applications: [],
          cancelled: [],
          kept: [],
          partners: [],
          sales: [],
          users: []
        })
        const nothing = "Lastro holds no data about this person, or has already erased it.\n"
        assert.strictEqual(yield* printed("privacy", "erase", "--yes", "--cpf", cpf), nothing)
        const read = yield* ask(server, `/api/v1/fgts/applications/${id}`, { token })
        assert.deepStrictEqual([at(read, "status"), at(read, "customer", "cpf")], ["CANCELLED", null])
        const audit = yield* ask(server, `/api/v1/audit?subject_id=${id}&actor=operator&sort=at,asc`, { token })
        const actions = [0, 1, 2].map((index) => at(audit, "content", index, "action"))
        assert.deepStrictEqual(actions, ["privacy.export", "application.cancel", "privacy.erase"])
        const { ending, err, out } = yield* run("privacy", "erase", "--cpf", "1")
        assert.deepStrictEqual([ending, out], [2, ""])
        assert.match(err, /^Usage: lastro privacy erase [^\n]*\nlastro: [^\n]*CPF[^\n]*\n$/)
      }))

    it.effect("refuses to change signing keys that come from a file", () =>
      Effect.gen(function*() {
        const { database } = yield* Server
        const environment = { ...onPostgres(database), LASTRO_SIGNING_KEYS: yield* keyFile("the-operators-key") }
        const [rotated, retired] = yield* Effect.all(
          [
            runInProcess(["keys", "rotate"], environment),
            runInProcess(["keys", "retire", "the-operators-key"], environment)
          ],
          { concurrency: 2 }
        )
        const err = "lastro: The signing keys come from the file in LASTRO_SIGNING_KEYS. Change that file instead.\n"
        assert.deepStrictEqual([rotated, retired], [{ ending: 2, err, out: "" }, { ending: 2, err, out: "" }])
      }))

    it.effect("checks the invariants and names each violated one", () =>
      Effect.gen(function*() {
        const { database } = yield* Server
        assert.strictEqual(yield* printed("check"), "Every invariant holds.\n")
        const partner = yield* ownPartner
        // The server adds counts meanwhile. It does so correctly with a wrong count, but not with a damaged hierarchy index.
        const addUsers = (users: number) =>
          administer(database, `update subtree_count set users = users + ${users} where partner_id = '${partner}'`)
        yield* addUsers(1)
        const { ending, err, out } = yield* run("check")
        assert.strictEqual(
          out,
          `Violated: Maintained counts equal the actual counts (1, for example ${partner})\n`
        )
        assert.deepStrictEqual([ending, err], [1, "lastro: The database violates 1 of its invariants.\n"])
        const shown = yield* run("check", "--json")
        assert.deepStrictEqual([shown.ending, shown.err], [ending, err])
        assert.deepStrictEqual(JSON.parse(shown.out), {
          violations: [{ invariant: "Maintained counts equal the actual counts", count: 1, examples: [partner] }],
          unlawful: [],
          alarms: [],
          work: null,
          repairs: null
        })
        yield* addUsers(-1)
        assert.strictEqual(yield* printed("check"), "Every invariant holds.\n")
      }))
  }
)

interface ListedJob {
  readonly job: string
  readonly state: string
  readonly age_seconds: number
  readonly attempt: number
  readonly failures: number
  readonly last_error: string | null
}

/** Lists, shows, retries and cancels the jobs of a database without a running node. */
const operateJobs = Effect.fnUntraced(function*(environment: Environment) {
  const work = (...args: ReadonlyArray<string>) => runInProcess(["work", ...args], environment)
  const listed: ReadonlyArray<ListedJob> = JSON.parse((yield* work("list", "--json")).out)
  const [first, second] = listed
  if (first === undefined || second === undefined) return assert.fail("The demonstration has jobs")
  assert.match(first.job, /^quote\/[0-9a-f-]{36}$/)
  assert.deepInclude(first, { state: "DUE", attempt: 1, failures: 0, last_error: null })
  const [header, ...lines] = (yield* work("list")).out.trim().split("\n")
  assert.strictEqual(header, "job\tstate\tage\tdue_at\tattempt\tfailures\tlast_error")
  assert.deepStrictEqual(lines.map((line) => line.split("\t")[0]), listed.map(({ job }) => job))
  assert.deepStrictEqual(lines[0]?.split("\t").length, 7)
  const shown = JSON.parse((yield* work("show", first.job, "--json")).out)
  assert.deepInclude(shown, { job: first.job, state: "DUE" })
  assert.strictEqual(shown.application.status, "QUOTING")
  assert.include((yield* work("show", first.job)).out, `application  ${shown.application.application_id}, QUOTING`)
  assert.deepStrictEqual(yield* work("retry", first.job), { out: `${first.job} is due now.\n`, err: "", ending: 0 })
  assert.deepStrictEqual(yield* work("cancel", first.job, "--yes"), {
    out: `${first.job} is cancelled. Application ${shown.application.application_id} was updated.\n`,
    err: "",
    ending: 0
  })
  for (const [command, job] of [["show", first.job], ["retry", "quote/x"], ["cancel", "nothing"]] as const) {
    const { ending, err } = yield* work(command, job)
    assert.strictEqual(ending, 1)
    assert.match(err, /^lastro: No stored job has this name\./)
  }
  assert.strictEqual((yield* runInProcess(["check"], environment)).out, "Every invariant holds.\n")
  yield* showAndRepair(environment, shown.application.application_id)
})

/** Shows an application with broken facts, which `check` reports as well. */
const showBroken = Effect.fnUntraced(function*(environment: Environment, id: string) {
  const database = environment["DATABASE_URL"] ?? ""
  const show = (...args: ReadonlyArray<string>) => runInProcess(["applications", "show", id, ...args], environment)
  const at = (table: string, column: string) => `update ${table} set ${column}`
  const ofQuote = `where application_id = '${id}'`
  yield* administer(
    database,
    `create table kept as select id, customer from application where id = '${id}'`,
    `create table kept_quote as select * from quote ${ofQuote}`
  )
  for (
    const [statement, problem] of [
      [`${at("application", "customer")} = '"{\\"cpf\\": "' where id = '${id}'`, "The customer is not a JSON object."],
      [`${at("application", "customer")} = 'null' where id = '${id}'`, "The customer is missing."],
      [
        `${at("application", "customer")} = '{}' where id = '${id}'`,
        "The facts of the field customer.cpf are missing or invalid."
      ],
      [
        `${at("quote", "facts")} = jsonb_set(facts::jsonb, '{outcome}', '"GUESSED"') ${ofQuote}`,
        "The facts of the field quotes.0.status are missing or invalid."
      ],
      [
        `${at("quote", "facts")} = jsonb_set(facts::jsonb, '{number}', '2') ${ofQuote}`,
        "Violated: Quotes are numbered without gaps, and only the latest is pending."
      ]
    ] as const
  ) {
    yield* administer(database, statement)
    const { ending, err, out } = yield* show()
    assert.include(out, `\n  ${problem}\n`)
    assert.include(out, `application  ${id}\n`)
    assert.match(err, /^lastro: The stored (?:facts|data) of application .* (?:cannot be read|is broken)\./)
    assert.strictEqual(ending, 1)
    assert.include(JSON.parse((yield* show("--json")).out).problems, problem)
    assert.strictEqual((yield* runInProcess(["check"], environment)).ending, 1)
    yield* administer(
      database,
      `${at("application", "customer")} = kept.customer from kept where kept.id = application.id`,
      `${at("quote", "facts")} = kept_quote.facts from kept_quote where kept_quote.id = quote.id`
    )
  }
  yield* administer(database, "drop table kept", "drop table kept_quote")
})

/** Stores records in the database of an environment. */
const storeInDatabase = <A, E>(environment: Environment, store: Effect.Effect<A, E, CommandPorts>) =>
  Effect.orDie(Effect.provideService(withPorts(store), CommandEnvironment, environment))

/** Shows an application, repairs derived data of it, and recovers the administrator. */
const showAndRepair = Effect.fnUntraced(function*(environment: Environment, id: string) {
  const run = (...args: ReadonlyArray<string>) => runInProcess(args, environment)
  const history = (yield* run("applications", "show", id)).out
  assert.match(history, /^status       QUOTE_FAILED$/m)
  assert.match(history, /^ {2}\S+Z {2}QUOTE_FAILED {2}quote 1, UPSTREAM_UNAVAILABLE$/m)
  const shown = JSON.parse((yield* run("applications", "show", id, "--json")).out)
  const full = JSON.parse((yield* run("applications", "show", id, "--json", "--personal-data")).out)
  assert.match(full.customer.cpf, /^\d{11}$/)
  assert.strictEqual(shown.customer.cpf, "***")
  const none = "01a1fd4a-d5f1-777b-b523-565628723e72"
  assert.deepStrictEqual(yield* run("applications", "show", none), {
    out: "",
    err: "lastro: No application has this id.\n",
    ending: 1
  })

  const tree = yield* storeInDatabase(environment, storeRootPartner())
  const contracting = yield* storeInDatabase(environment, storeContractedApplication(tree))
  assert.deepStrictEqual(yield* run("privacy", "erase", "--yes", "--cpf", contracting.customer.cpf), {
    out: "",
    err:
      "lastro: A contract or a refund of this person is in progress, and nothing was erased. Repeat the command when it has ended: " +
      `application ${contracting.application_id} is CONTRACTING.\n`,
    ending: 1
  })

  const second = yield* storeInDatabase(
    environment,
    storeContractedApplication(tree, {
      customer: contracting.customer,
      at: timestampOf(millisOf(contracting.updated_at) + 3_600_000)
    })
  )
  const unlawful = ["FGTS-47", "FGTS-61"].map((rule) =>
    `Unlawful: A contract keeps the rule ${rule} on the day of its acceptance ` +
    `(broken by 1, for example ${second.application_id})\n`
  ).join("")

  const database = environment["DATABASE_URL"] ?? ""
  yield* administer(
    database,
    `update application set stage = 'CANCELLED' where id = '${id}'`,
    "delete from job"
  )
  assert.strictEqual((yield* run("check")).ending, 1)
  const repaired = yield* run("check", "--repair")
  assert.strictEqual(
    repaired.out.replace(/\d+(?=\)\nUnlawful)/, "N"),
    `Rebuilt: Columns of applications (1)\nRebuilt: Missing jobs (N)\n${unlawful}Every invariant holds.\n`
  )
  assert.deepStrictEqual([repaired.err, repaired.ending], ["", 0])
  yield* showBroken(environment, id)
  yield* administer(database, `delete from quote where application_id = '${id}'`)
  const broken = yield* run("check", "--repair")
  assert.match(broken.out, /Violated: The stored facts of an application can be read \(1, for example /)
  assert.strictEqual(broken.ending, 1)
  for (
    const [args, out] of [
      [["applications", "show", id], /\nno quotes\n\nproblems\n {2}The application has no quote\.\n$/],
      [["privacy", "export", "--cpf", full.customer.cpf], /^$/]
    ] as const
  ) {
    const failed = yield* run(...args)
    assert.match(failed.out, out)
    assert.deepStrictEqual(failed, {
      out: failed.out,
      err:
        `lastro: The stored facts of application ${id} cannot be read. Run lastro check to list every broken record, and restore the ` +
        "facts from a backup.\n",
      ending: 1
    })
  }

  const email = environment["LASTRO_BOOTSTRAP_ADMIN_EMAIL"] ?? ""
  const recovered = yield* run("users", "recover-admin", email)
  assert.match(
    recovered.out,
    /^user_id {3}\S+\npartner {3}\S+\nemail {5}\S+\npassword {2}[A-Za-z0-9_-]{43}\n\nThe user is an active administrator/
  )
  assert.include(recovered.out, "Its group was admin.")
  const elsewhere = yield* run("users", "recover-admin", email, "--partner", none)
  assert.deepStrictEqual([elsewhere.ending, elsewhere.out], [2, ""])
  assert.match(elsewhere.err, /belongs to another partner, and nothing was changed/)
  const create = (...flags: ReadonlyArray<string>) => run("users", "recover-admin", "bia@example.com", ...flags)
  const [partner = ""] = /^partner {3}(\S+)$/m.exec(recovered.out)?.slice(1) ?? []
  for (
    const flags of [[], ["--partner", partner], ["--partner", partner, "--name", "Ana Souza", "--phone", "1133334444"]]
  ) {
    const unknown = yield* create(...flags)
    assert.deepStrictEqual([unknown.ending, unknown.out], [1, ""])
    assert.match(unknown.err, /To create an administrator, set --partner, --name, --phone and --cpf\./)
  }
  assert.strictEqual((yield* create("--partner", "x")).ending, 2)
  const person = ["--name", "Ana Souza", "--phone", "1133334444", "--cpf"]
  assert.deepStrictEqual(yield* create("--partner", partner, ...person, "111.444.777-36"), {
    out: "",
    err: "lastro: Invalid options. cpf: The check digits are incorrect.\n",
    ending: 2
  })
  assert.match((yield* create("--partner", none, ...person, "111.444.777-35")).err, /The partner does not exist\./)
  const created = yield* create("--partner", partner, ...person, "111.444.777-35")
  assert.include(created.out, `partner   ${partner}\nemail     bia@example.com\n`)
  assert.include(created.out, "A new administrator was created.")
  const again = JSON.parse((yield* create("--json")).out)
  assert.deepInclude(again, { partner_id: partner, email: "bia@example.com", former_group: "admin" })
  assert.match(again.password, /^[A-Za-z0-9_-]{43}$/)
})

/** Every command of the tree below a command, with its kind. */
const commandsOf = (command: Command.Command.Any, path: string): Record<string, "group" | "command"> => {
  const below = command.subcommands.flatMap(({ commands }) => commands)
  return Object.assign(
    { [path]: below.length > 0 ? "group" : "command" },
    ...below.map((one) => commandsOf(one, `${path} ${one.name}`))
  )
}

const commands = commandsOf(lastro, "lastro")

/** A folder for temporary files on a full disk: files can be created, but have no content. */
const fullDisk = Effect.gen(function*() {
  const folder = yield* emptyFolder
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const handle = await open(join(folder, "any"), "w")
      await handle.close()
      rmSync(join(folder, "any"))
      vi.stubEnv("TMPDIR", folder)
      const files: FileHandle = Object.getPrototypeOf(handle)
      return vi.spyOn(files, "writeFile").mockRejectedValue(new Error("ENOSPC"))
    }),
    (writes) =>
      Effect.sync(() => {
        writes.mockRestore()
        vi.unstubAllEnvs()
      })
  )
  return folder
})

describe("a command on a database of its own", () => {
  it.live("migrates, prints the applied migrations, and bootstraps once", () =>
    Effect.gen(function*() {
      const environment = { ...onPostgres(yield* freshDatabase), ...credentials }
      const unmigrated = yield* runInProcess(["check"], environment)
      assert.deepStrictEqual([unmigrated.ending, unmigrated.out], [3, ""])
      assert.match(
        unmigrated.err,
        /^lastro: The database reported an error: [^\n]* Check that its schema is up to date: lastro migrate\.\n$/
      )
      const first = yield* runInProcess(["migrate"], environment)
      const [last, ...applied] = first.out.trim().split("\n").toReversed()
      assert.strictEqual(last, "The schema is up to date.")
      assert.deepStrictEqual(applied.slice(-2), ["applied 2 users", "applied 1 partners"])
      const second = yield* runInProcess(["migrate"], environment)
      assert.deepStrictEqual(second, { out: "The schema is up to date.\n", err: "", ending: 0 })
      assert.deepStrictEqual(JSON.parse((yield* runInProcess(["migrate", "--json"], environment)).out), { applied: [] })
      const filled = yield* runInProcess(["bootstrap"], { ...environment, LASTRO_DEMO: "on" })
      assert.include(filled.out, credentials.LASTRO_BOOTSTRAP_CLIENT_ID)
      assert.notInclude(filled.out, credentials.LASTRO_BOOTSTRAP_CLIENT_SECRET)
      const again = yield* runInProcess(["bootstrap"], environment)
      assert.strictEqual(again.out, "The database is not empty. Nothing was changed.\n")
      assert.strictEqual((yield* runInProcess(["bootstrap", "--json"], environment)).out, "null\n")
      // The durable jobs wait for a server.
      assert.strictEqual((yield* runInProcess(["check"], environment)).out, "Every invariant holds.\n")
      yield* operateJobs(environment)
    }), 90_000)

  it.live("bootstrap leaves no file with a part of the credentials if the disk is full", () =>
    Effect.gen(function*() {
      const environment = onPostgres(yield* migratedDatabase)
      const folder = yield* fullDisk
      const { ending, err } = yield* runInProcess(["bootstrap"], environment)
      assert.strictEqual(ending, 2)
      assert.include(err, `cannot be stored: no file can be written in ${process.cwd()} or ${folder}. `)
      assert.deepStrictEqual(readdirSync(folder), [])
    }), 60_000)

  it.effect.each(Object.keys(commands))("has help: %s --help, with --json", (command) =>
    Effect.gen(function*() {
      yield* Command.runWith(lastro, { version: "0.0.0" })([...command.split(" ").slice(1), "--help"])
      const text = (yield* TestConsole.logLines).join("\n")
      const lines = text.split("\n")
      const description = lines[lines.findIndex((line) => line.includes("DESCRIPTION")) + 1] ?? ""
      assert.isAbove(description.length, 20)
      assert.include(text, command)
      // Command groups list their subcommands; every other command has an example.
      const isGroup = commands[command] === "group"
      if (!isGroup) assert.match(text, /^\W*EXAMPLES\b/m)
      // A server writes a log instead of a result, and LASTRO_LOG_FORMAT selects its form.
      assert.strictEqual(text.includes("--json"), !isGroup && command !== "lastro serve")
      const described = text.split("\n\n").filter((part) => /^\W*(?:ARGUMENTS|FLAGS|SUBCOMMANDS)\b/.test(part))
      const entries = described.flatMap((part) => part.trim().split("\n").slice(1))
      for (const entry of entries) assert.match(entry, /^ +\S+(?: \S+)* {2,}\S/)
    }).pipe(Effect.provide(NodeServices.layer)))
})
