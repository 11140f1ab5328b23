import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { ask, at, signIn, tokenOf } from "./running/asking.ts"
import { documentedCommands, runDocumented } from "./running/documentedCommands.ts"
import { runInProcess, serveInProcess } from "./running/inProcess.ts"
import { aReceiver } from "./running/receiver.ts"
import { onPostgres, usualSettings } from "./running/serving.ts"

/** Serves a database, with an endpoint on this machine that `LASTRO_WEBHOOK_ALLOW` lists. */
const serving = Effect.fnUntraced(function*(...statuses: ReadonlyArray<number>) {
  const receiver = yield* aReceiver(...statuses)
  const environment = {
    ...usualSettings,
    ...onPostgres(yield* migratedDatabase),
    LASTRO_SANDBOX_STEP_MS: "50",
    LASTRO_WEBHOOK_ALLOW: new URL(receiver.url).host
  }
  const server = yield* serveInProcess(environment)
  const token = tokenOf(yield* signIn(server))
  const api = (path: string, json?: object) =>
    ask(server, `/api/v1/webhooks${path}`, { token, ...json === undefined ? {} : { json } })
  const run = (...args: ReadonlyArray<string>) => runInProcess(args, { ...environment, LASTRO_ISSUER: server.url })
  return { ...receiver, api, run, server, token }
})

describe("webhooks of a server", () => {
  it.live("are delivered to a receiver that verifies them with the public library", () =>
    Effect.gen(function*() {
      const { api, reaches, received, run, url } = yield* serving(500, 204)
      const created = yield* api("", { url, types: ["proposal.*"] })
      assert.strictEqual(created.status, 201, created.text)
      const rotated = yield* api(`/${String(at(created, "webhook_id"))}/rotate-secret`, {})
      assert.strictEqual((yield* run("trigger", "loan.paid")).ending, 0)
      yield* reaches("proposal.paid")
      for (const { body, headers } of received) {
        for (const reply of [created, rotated]) {
          const event: unknown = new Webhook(String(at(reply, "secret"))).verify(body, headers)
          assert.strictEqual(Object(event)["event_id"], headers["webhook-id"])
        }
      }
    }), { timeout: 60_000 })

  it.live("are created as docs/webhooks.md shows", () =>
    Effect.gen(function*() {
      const { server, token } = yield* serving(204)
      const [create = "", ...others] = yield* documentedCommands("webhooks.md", "Create")
      assert.deepStrictEqual(others, [])
      const { ending, out } = yield* runDocumented(create, { LASTRO_URL: server.url, TOKEN: token })
      assert.strictEqual(ending, 0)
      const webhook: unknown = JSON.parse(out)
      assert.deepInclude(webhook, { url: "https://hooks.example/lastro", status: "ACTIVE" })
      assert.match(String(Object(webhook)["secret"]), /^whsec_/)
    }), { timeout: 60_000 })

  it.live("are refused to other addresses, and not delivered there", () =>
    Effect.gen(function*() {
      const { api } = yield* serving(204)
      const addresses = {
        "http://127.0.0.1:1": "ADDRESS_FORBIDDEN",
        "https://169.254.169.254/latest": "ADDRESS_FORBIDDEN",
        "https://[::ffff:10.0.0.1]": "ADDRESS_FORBIDDEN",
        "https://0x7f000001": "ADDRESS_FORBIDDEN",
        "http://hooks.example": "HTTPS_REQUIRED",
        "https://me:secret@hooks.example": "INVALID_FORMAT"
      }
      for (const [url, code] of Object.entries(addresses)) {
        const refused = yield* api("", { url })
        assert.strictEqual(refused.status, 422, url)
        assert.deepInclude(at(refused, "error", "details", 0) as object, { field: "url", code }, url)
        assert.notInclude(refused.text, "secret")
      }
    }), { timeout: 60_000 })

  it.live(
    "are listed and resumed by the operator, and go on with the events that waited",
    () =>
      Effect.gen(function*() {
        const { api, reaches, received, run, url } = yield* serving(410, 204)
        const id = String(at(yield* api("", { url: `${url}?key=hidden`, types: ["application.*"] }), "webhook_id"))
        assert.strictEqual((yield* run("trigger", "application.quoted")).ending, 0)
        let line = ""
        while (!line.includes("DISABLED")) line = (yield* run("webhooks", "list")).out
        assert.match(
          line,
          new RegExp(`^webhook_id\\t.*\n${id}\\t\\S+\\tDISABLED\\tGONE\\t.*\\tHTTP 410\\t${url}\\?…\\n$`)
        )
        const listed: unknown = JSON.parse((yield* run("webhooks", "list", "--json")).out)
        assert.strictEqual(Object(listed)[0]["webhook_id"], id)
        const resumed = yield* run("webhooks", "resume", id)
        assert.deepStrictEqual(resumed, {
          ending: 0,
          err: "",
          out: `${id} is active. Its deliveries go on where they stopped.\n`
        })
        yield* reaches("application.quoted")
        assert.include(received.map(({ type }) => type), "application.created")
        for (const unknown of ["0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051", "x"]) {
          const missing = yield* run("webhooks", "resume", unknown)
          assert.deepStrictEqual([missing.ending, missing.err], [1, "lastro: No webhook has this id.\n"])
        }
      }),
    { timeout: 60_000 }
  )
})
