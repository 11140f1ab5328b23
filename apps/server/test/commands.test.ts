import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { TestConsole } from "effect/testing"
import { freshDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { lastro } from "../src/lastro.ts"
import { administer } from "./running/administer.ts"
import { ask, at, logIn, signIn, tokenOf } from "./running/asking.ts"
import { keyFile } from "./running/keyFile.ts"
import { ran } from "./running/lastro.ts"
import { layerServer, Server } from "./running/Server.ts"
import { credentials, onPostgres } from "./running/serving.ts"

/** Runs a command on the shared server's database. */
const run = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
  const { database } = yield* Server
  return yield* ran(args, { ...onPostgres(database), ...credentials })
})

/** Runs a command that has to succeed, and tells what it printed. */
const printed = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
  const { ending, err, out } = yield* run(...args)
  assert.deepStrictEqual([ending, err], [0, ""])
  return out
})

/** Runs a command that has to fail, and tells the one line that says why. */
const refusal = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
  const { ending, err, out } = yield* run(...args)
  assert.deepStrictEqual([ending, out], [1, ""])
  const [, line] = /^lastro: ([^\n]*)\n$/.exec(err) ?? []
  return line
})

const credentialsIn = (text: string): { readonly id: string; readonly secret: string } => {
  const [, id = "", secret = ""] = /^client_id +(\S+)\nclient_secret +(\S+)$/m.exec(text) ?? []
  assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
  return { id, secret }
}

const ownPartner = Effect.gen(function*() {
  const server = yield* Server
  const me = yield* ask(server, "/api/v1/users/me", { token: tokenOf(yield* logIn(server)) })
  return String(at(me, "data", "partner_id"))
})

layer(layerServer(), { timeout: 60_000, excludeTestServices: true })(
  "a command on a running server's database",
  (it) => {
    it.effect("makes, lists, rotates and revokes API clients", () =>
      Effect.gen(function*() {
        const server = yield* Server
        const partner = yield* ownPartner
        const list = (token: string) => Effect.map(ask(server, "/api/v1/partners", { token }), ({ status }) => status)

        const made = credentialsIn(yield* printed("clients", "create", "--partner", partner, "--group", "viewer"))
        const first = tokenOf(yield* signIn(server, made.id, made.secret))
        assert.strictEqual(yield* list(first), 200)
        const listed = yield* printed("clients", "list")
        assert.match(listed, new RegExp(`^${made.id}\\t${partner}\\tviewer\\t\\S+Z\\tactive$`, "m"))
        assert.notInclude(listed, made.secret)

        const rotated = credentialsIn(yield* printed("clients", "rotate", made.id))
        assert.strictEqual(rotated.id, made.id)
        assert.strictEqual((yield* signIn(server, made.id, made.secret)).status, 401)
        assert.strictEqual(yield* list(first), 401)
        const second = tokenOf(yield* signIn(server, made.id, rotated.secret))
        assert.strictEqual(yield* list(second), 200)

        assert.strictEqual(yield* printed("clients", "revoke", made.id), `${made.id} is revoked.\n`)
        assert.strictEqual(yield* list(second), 401)
        assert.strictEqual((yield* signIn(server, made.id, rotated.secret)).status, 401)
        assert.strictEqual(yield* refusal("clients", "rotate", made.id), "There is no such client, or it is revoked.")
        assert.match(yield* printed("clients", "list"), new RegExp(`^${made.id}\\t.*\\t\\S+Z\\t\\S+Z$`, "m"))
      }))

    it.effect("refuses a client of a partner that is none", () =>
      Effect.gen(function*() {
        const of = (partner: string) => refusal("clients", "create", "--group", "admin", "--partner", partner)
        assert.deepStrictEqual(
          yield* Effect.all([of("x"), of("01a1fd4a-d5f1-777b-b523-565628723e72")], { concurrency: 2 }),
          ["The id of a partner is a UUID.", "There is no such partner."]
        )
      }))

    it.effect("starts a tree, and blocks and lets act a partner and its subtree at the next request", () =>
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
          "partner.document_number: INVALID_CHECK_DIGIT, partner.name: TOO_SHORT, partner.phone: INVALID_FORMAT"
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
        assert.strictEqual(yield* printed("partners", "deactivate", id), `${id} is inactive.\n`)
        assert.deepStrictEqual(yield* statuses, [401, 401, 401])
        assert.strictEqual(yield* printed("partners", "activate", id), `${id} is active.\n`)
        assert.deepStrictEqual(yield* statuses, [200, 200, 200])
        assert.strictEqual(yield* refusal("partners", "deactivate", "x"), "The id of a partner is a UUID.")
      }))

    it.effect("leaves the signing keys of a file to that file", () =>
      Effect.gen(function*() {
        const { database } = yield* Server
        const environment = { ...onPostgres(database), LASTRO_SIGNING_KEYS: yield* keyFile("the-operators-key") }
        const [rotated, retired] = yield* Effect.all(
          [ran(["keys", "rotate"], environment), ran(["keys", "retire", "the-operators-key"], environment)],
          { concurrency: 2 }
        )
        const err = "lastro: The signing keys are those of LASTRO_SIGNING_KEYS; change that file.\n"
        assert.deepStrictEqual([rotated, retired], [{ ending: 1, err, out: "" }, { ending: 1, err, out: "" }])
      }))

    it.effect("checks the invariants, and says which one is broken", () =>
      Effect.gen(function*() {
        const { database } = yield* Server
        assert.strictEqual(yield* printed("check"), "Every invariant holds.\n")
        const partner = yield* ownPartner
        yield* administer(database, `delete from subtree_region where region_id = '${partner}'`)
        const { ending, err, out } = yield* run("check")
        assert.strictEqual(
          out,
          `Broken: The hierarchy index has every ancestor of every partner (1, such as ${partner} above ${partner})\n`
        )
        assert.deepStrictEqual([ending, err], [1, "lastro: The database breaks 1 of its invariants.\n"])
        yield* administer(database, `insert into subtree_region values ('${partner}', '${partner}')`)
        assert.strictEqual(yield* printed("check"), "Every invariant holds.\n")
      }))
  }
)

describe("a command on a database of its own", () => {
  it.live("migrates, tells what it applied, and fills it once", () =>
    Effect.gen(function*() {
      const environment = { ...onPostgres(yield* freshDatabase), ...credentials }
      const unmigrated = yield* ran(["check"], environment)
      assert.deepStrictEqual([unmigrated.ending, unmigrated.out], [1, ""])
      assert.match(unmigrated.err, /^lastro: The database refused: [^\n]* Is its schema up to date\?\n$/)
      const first = yield* ran(["migrate"], environment)
      const [last, ...applied] = first.out.trim().split("\n").toReversed()
      assert.strictEqual(last, "The schema is up to date.")
      assert.deepStrictEqual(applied.slice(-2), ["applied 2 users", "applied 1 partners"])
      const second = yield* ran(["migrate"], environment)
      assert.deepStrictEqual(second, { out: "The schema is up to date.\n", err: "", ending: 0 })
      const filled = yield* ran(["bootstrap"], { ...environment, LASTRO_DEMO: "on" })
      assert.include(filled.out, credentials.LASTRO_BOOTSTRAP_CLIENT_ID)
      assert.notInclude(filled.out, credentials.LASTRO_BOOTSTRAP_CLIENT_SECRET)
      const again = yield* ran(["bootstrap"], environment)
      assert.strictEqual(again.out, "The database is not empty; nothing was done.\n")
      // The work that it promised waits for a server.
      assert.strictEqual((yield* ran(["check"], environment)).out, "Every invariant holds.\n")
    }))

  it.effect.each([
    "lastro",
    "lastro serve",
    "lastro migrate",
    "lastro bootstrap",
    "lastro clients",
    "lastro clients create",
    "lastro clients list",
    "lastro clients rotate",
    "lastro clients revoke",
    "lastro partners",
    "lastro partners create-root",
    "lastro partners activate",
    "lastro partners deactivate",
    "lastro keys",
    "lastro keys list",
    "lastro keys rotate",
    "lastro keys retire",
    "lastro seed",
    "lastro check"
  ])("explains itself: %s --help", (command) =>
    Effect.gen(function*() {
      yield* Command.runWith(lastro, { version: "0.0.0" })([...command.split(" ").slice(1), "--help"])
      const text = (yield* TestConsole.logLines).join("\n")
      const lines = text.split("\n")
      const description = lines[lines.findIndex((line) => line.includes("DESCRIPTION")) + 1] ?? ""
      assert.isAbove(description.length, 20)
      assert.include(text, command)
      const described = text.split("\n\n").filter((part) => /^\W*(?:ARGUMENTS|FLAGS|SUBCOMMANDS)\b/.test(part))
      const entries = described.flatMap((part) => part.trim().split("\n").slice(1))
      for (const entry of entries) assert.match(entry, /^ +\S+(?: \S+)* {2,}\S/)
    }).pipe(Effect.provide(NodeServices.layer)))
})
