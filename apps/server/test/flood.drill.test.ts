import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isOrdeal } from "../../../test/rounds.ts"
import { ask, at, type Reply } from "./running/asking.ts"
import { databases } from "./running/databases.ts"
import { credentials, firstSecret, type RunningServer, startServer } from "./running/serving.ts"

/** Sends a token request as a client behind a trusted proxy. */
const token = (server: RunningServer, address: string, form: Readonly<Record<string, string>>): Effect.Effect<Reply> =>
  ask(server, "/api/v1/oauth/token", { form, headers: { "x-forwarded-for": address } })

const inFlight = 30

/** Maximum number of answers to the flood while another address signs in. First come, first served would be 30 or more. */
const mostBefore = 15

/** Keeps 30 sign-ins of unknown users in flight, all from one address. */
const startFlood = Effect.fnUntraced(function*(server: RunningServer) {
  const answers: Array<Reply> = []
  let sent = 0
  const one = Effect.suspend(() =>
    token(server, "203.0.113.7", {
      grant_type: "password",
      username: `nobody${sent++}@example.com`,
      password: "a made-up password"
    })
  )
  const keepSending = Effect.forever(Effect.map(one, (reply) => {
    answers.push(reply)
  }))
  yield* Effect.forkScoped(Effect.replicateEffect(keepSending, inFlight, { concurrency: "unbounded" }))
  return answers
})

// On PGlite in `pnpm ordeal:races` only: password hashes do not use the database.
const tested = Object.entries(databases).filter(([name]) => isOrdeal || name === "PostgreSQL")

describe.each(tested)("a server on %s", (_, database) => {
  it.live(
    "T61 others and API clients sign in while one address floods the queue of password hashes",
    () =>
      Effect.gen(function*() {
        const server = yield* startServer({
          ...yield* database,
          LASTRO_TRUSTED_PROXIES: "127.0.0.0/8",
          LASTRO_BOOTSTRAP_CLIENT_SECRET: ""
        })
        const client_secret = yield* firstSecret(server, "client_secret")
        const user = token(server, "198.51.100.1", {
          grant_type: "password",
          username: credentials.LASTRO_BOOTSTRAP_ADMIN_EMAIL,
          password: credentials.LASTRO_BOOTSTRAP_ADMIN_PASSWORD
        })
        const client = token(server, "198.51.100.2", {
          grant_type: "client_credentials",
          client_id: credentials.LASTRO_BOOTSTRAP_CLIENT_ID,
          client_secret
        })
        const answers = yield* startFlood(server)
        while (answers.length < inFlight) yield* Effect.sleep(20)
        for (const signIn of [user, client]) {
          const overtaking: Array<number> = []
          // A pause of this process raises the count, so the lowest of five counts.
          for (let time = 0; time < 5 && !overtaking.some((count) => count <= mostBefore); time++) {
            const before = answers.length
            const reply = yield* signIn
            assert.strictEqual(reply.status, 200, reply.text)
            overtaking.push(answers.length - before)
          }
          assert.isAtMost(Math.min(...overtaking), mostBefore)
        }
        for (const reply of answers) {
          assert.include([400, 503], reply.status, reply.text)
          if (reply.status === 400) assert.strictEqual(at(reply, "error"), "invalid_grant")
          else {
            assert.strictEqual(at(reply, "error"), "temporarily_unavailable")
            assert.isNotNull(reply.headers.get("retry-after"))
          }
        }
      }),
    120_000
  )
})
