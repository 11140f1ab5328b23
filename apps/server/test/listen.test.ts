import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { ask, at, signIn, tokenOf } from "./running/asking.ts"
import { documentedCommands, documentedScript, runDocumented } from "./running/documentedCommands.ts"
import { layerServer, runInProcess, Server } from "./running/inProcess.ts"
import { lastro, root, running } from "./running/lastro.ts"
import { aReceiver, type Received } from "./running/receiver.ts"
import { onPostgres, usualSettings } from "./running/serving.ts"

const settings = Effect.map(Server, ({ database, url }) => ({
  ...usualSettings,
  ...onPostgres(database),
  LASTRO_ISSUER: url
}))

/** Runs a command that calls the server. */
const run = (...args: ReadonlyArray<string>) => Effect.flatMap(settings, (read) => runInProcess(args, read))

/** Starts `lastro listen`, and waits until it has printed its secret. */
const listening = Effect.fnUntraced(function*(url: string, ...args: ReadonlyArray<string>) {
  const listen = yield* lastro(["listen", "--forward-to", url, ...args], yield* settings)
  const [, secret = ""] = yield* listen.says(/^secret {2}(whsec_\S+)$/m)
  return { ...listen, secret }
})

/** A status, a body and headers. */
type Answer = readonly [status: number, body: string, headers?: Readonly<Record<string, string>>]

/** A server that answers a path by its last segment. `paths` are those of the requests. */
const scripted = (answers: Readonly<Record<string, Answer>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const paths: Array<string> = []
      const server = createServer((request, response) => {
        const path = request.url ?? ""
        paths.push(path)
        const [status, body, headers] = answers[path.slice(path.lastIndexOf("/") + 1)] ?? [404, ""]
        response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers }).end(body)
      })
      await once(server.listen(0, "127.0.0.1"), "listening")
      return { paths, server, url: `http://127.0.0.1:${Number(Object(server.address())["port"])}` }
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

const typesOf = (received: ReadonlyArray<Received>) => received.map(({ type }) => type)

layer(layerServer({ LASTRO_SANDBOX_STEP_MS: "50" }), { timeout: 60_000, excludeTestServices: true })(
  "lastro listen and lastro trigger",
  (it) => {
    it.effect("forward the events of a triggered loan, signed, and go on after the last one", () =>
      Effect.gen(function*() {
        const receiver = yield* aReceiver(204, 500, 204)
        const listen = yield* listening(receiver.url)
        const { ending, err, out } = yield* run("trigger", "loan.paid")
        assert.deepStrictEqual([ending, err], [0, ""])
        assert.match(out, /^application {2}[-\da-f]{36}\nproposal {5}[-\da-f]{36}\nstatus {7}PAID\n$/)
        yield* listen.says(/\tproposal\.paid\t204\t\d+$/m)
        listen.kill("SIGINT")
        assert.strictEqual(yield* listen.ended, 0, listen.err())
        assert.strictEqual(listen.err(), "")
        const lines = listen.out().split("\n").filter((line) => line.includes("\t")).map((line) => line.split("\t"))
        assert.deepStrictEqual(lines.map(([, type]) => type), typesOf(receiver.received))
        assert.deepStrictEqual(lines.slice(0, 3).map(([, , status]) => status), ["204", "500", "204"])
        assert.deepStrictEqual([typesOf(receiver.received)[0], typesOf(receiver.received).at(-1)], [
          "application.created",
          "proposal.paid"
        ])
        for (const { body, headers } of receiver.received) {
          const event: unknown = new Webhook(listen.secret).verify(body, headers)
          assert.strictEqual(Object(event)["event_id"], headers["webhook-id"])
        }
        const [, next = ""] = /^Stopped after sequence (\d+)\. Continue with --after \d+\.$/m.exec(listen.out()) ?? []
        const later = yield* aReceiver(204)
        const again = yield* listening(later.url, "--after", next, "--types", "application.*")
        assert.strictEqual((yield* run("trigger", "application.cancelled")).ending, 0)
        yield* again.says(/\tapplication\.cancelled\t204\t/)
        assert.deepStrictEqual(typesOf(later.received), [
          "application.created",
          "application.quoted",
          "application.cancelled"
        ])
        assert.notStrictEqual(again.secret, listen.secret)
      }))

    it.effect("read the feed of a partner from the database", () =>
      Effect.gen(function*() {
        const server = yield* Server
        assert.strictEqual((yield* run("trigger", "application.quoted")).ending, 0)
        const token = tokenOf(yield* signIn(server))
        const partners = yield* ask(server, "/api/v1/partners?sort=created_at", { token })
        const receiver = yield* aReceiver(204)
        const partner = String(at(partners, "content", 0, "partner_id"))
        const args = ["--partner", partner, "--after", "0", "--types", "application.quoted"]
        const listen = yield* listening(receiver.url, ...args)
        yield* listen.says(/\tapplication\.quoted\t204\t/)
        assert.include(typesOf(receiver.received), "application.quoted")
      }))

    for (
      const [name, status] of Object.entries({
        "application.rejected": "REJECTED",
        "application.quote_failed": "QUOTE_FAILED",
        "loan.rejected": "REJECTED",
        "loan.cancelled": "CANCELLED",
        "loan.correction_needed": "CORRECTION_NEEDED",
        "loan.disbursement_failed": "DISBURSEMENT_FAILED",
        "loan.refunded": "REFUNDED",
        "loan.reversed": "REFUNDED",
        "loan.settled": "SETTLED"
      })
    ) {
      it.effect(`trigger ${name}`, () =>
        Effect.gen(function*() {
          const { ending, err, out } = yield* run("trigger", name)
          assert.deepStrictEqual([ending, err], [0, ""])
          assert.include(out, `status       ${status}\n`)
        }))
    }

    it.effect("list the events, and refuse wrong use in one line", () =>
      Effect.gen(function*() {
        assert.include((yield* run("trigger")).out, "\nloan.paid\nloan.rejected\n")
        const refusals: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
          [["trigger", "loan.lost"], /There is no event loan\.lost to trigger\. Run lastro trigger for the list\./],
          [["trigger", "loan.paid", "--server", "ftp://x"], /--server must be an http or https URL\./],
          [
            ["trigger", "loan.paid", "--server", "http://127.0.0.1:1"],
            /No server answers at http:\/\/127\.0\.0\.1:1\./
          ],
          [["trigger", "loan.paid", "--client-id", "nobody"], /refused the API client with status 401\./],
          [["listen", "--forward-to", "http://hooks.example"], /--forward-to must be an https URL, or /],
          [
            ["listen", "--forward-to", "http://127.0.0.1:1", "--types", "x.y"],
            /--types contains an unknown type or group\./
          ],
          [["listen", "--forward-to", "http://127.0.0.1:1", "--partner", "x"], /The partner id must be a UUID\./]
        ]
        for (const [args, line] of refusals) {
          const { ending, err, out } = yield* run(...args)
          assert.deepStrictEqual([ending, out], [2, ""], args.join(" "))
          assert.match(err, line)
          assert.match(err, /^[^\n]+\n$/)
        }
        const anonymous = { ...yield* settings, LASTRO_BOOTSTRAP_CLIENT_ID: "" }
        const { err } = yield* runInProcess(["trigger", "loan.paid"], anonymous)
        assert.match(err, /^lastro: No API client is given\. Pass --client-id and --client-secret, or set /)
      }))

    it.effect("work as docs/webhooks.md shows, which contains the receiver of the example", () =>
      Effect.gen(function*() {
        const [receiver, document] = yield* Effect.promise(() =>
          Promise.all(
            ["examples/webhook-receiver/src/express.ts", "docs/webhooks.md"].map((path) =>
              readFile(join(root, path), "utf8")
            )
          )
        )
        assert.include(document, `\`\`\`ts\n${receiver}\`\`\``)
        const [listen = "", trigger = "", ...others] = yield* documentedCommands("webhooks.md", "Development")
        assert.deepStrictEqual(others, [])
        const { received, url } = yield* aReceiver(204)
        const command = documentedScript(listen.replace("http://127.0.0.1:4000/webhooks", url))
        const listening = yield* running("sh", ["-euc", command], yield* settings)
        yield* listening.says(/^secret {2}whsec_/m)
        const { ending, err, out } = yield* runDocumented(trigger, yield* settings)
        assert.deepStrictEqual([ending, err], [0, ""], out)
        assert.include(out, "loan.paid\n")
        yield* listening.says(/\tproposal\.paid\t204\t/)
        assert.include(typesOf(received), "proposal.paid")
      }))

    it.effect("name the cause if the server gives no token or no response of the API", () =>
      Effect.gen(function*() {
        const notOfApi = "and no message of the API. Check --server."
        const cases: ReadonlyArray<readonly [Readonly<Record<string, Answer>>, ReadonlyArray<string>, string]> = [
          [
            { token: [503, "{\"error\":\"temporarily_unavailable\",\"error_description\":\"Busy.\"}"] },
            [],
            "The access token got status 503: Busy."
          ],
          [
            { token: [400, "{\"error\":\"invalid_client\"}"] },
            [],
            "URL refused the API client with status 400. Check its id and secret."
          ],
          [{ token: [200, "{\"access"] }, [], `The access token got status 200 ${notOfApi}`],
          [
            { sandbox: [302, "", { location: "/elsewhere" }] },
            [],
            "URL answered a callback with status 302 instead of 204. Check --server."
          ],
          [
            { applications: [401, "{\"error\":{\"message\":\"Invalid token.\"}}"] },
            ["--token", "x"],
            "The application got status 401: Invalid token."
          ],
          [{ applications: [200, "<html>"] }, ["--token", "x"], `The application got status 200 ${notOfApi}`]
        ]
        for (const [answers, flags, line] of cases) {
          const { paths, url } = yield* scripted({ sandbox: [204, ""], ...answers })
          const { ending, err } = yield* run("trigger", "loan.paid", "--server", url, ...flags)
          assert.deepStrictEqual([ending, err], [2, `lastro: ${line.replace("URL", url)}\n`])
          // A refused request is not repeated.
          assert.strictEqual(new Set(paths).size, paths.length)
        }
      }))

    it.effect("refuse to trigger a loan of a lender other than the sandbox", () =>
      Effect.gen(function*() {
        // A server whose lender is another one answers 404 to a callback of the sandbox.
        const other = yield* aReceiver(404)
        const { ending, err } = yield* run("trigger", "loan.paid", "--server", new URL(other.url).origin)
        assert.strictEqual(ending, 2)
        assert.match(err, /^lastro: The lender of \S+ is not the sandbox, and only the sandbox can trigger events\.\n$/)
        assert.deepStrictEqual(other.received.map(({ body }) => Object.keys(Object(JSON.parse(body)))), [["quote_id"]])
      }))
  }
)
