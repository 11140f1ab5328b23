import { assert, describe, it } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type RecordingLenderServer, recordingLenderServer } from "@lastro/testkit/lender-server"
import { Duration, Effect, Fiber } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { at, signIn, tokenOf } from "./running/asking.ts"
import { type Desk, idOf, isSettled, kycOf, patientClient } from "./running/desk.ts"
import { onPostgres, startServer } from "./running/serving.ts"

/** Starts a named server on a shared database, with its own lender that records its calls. */
const node = Effect.fnUntraced(function*(database: string, name: string) {
  const lender = yield* recordingLenderServer()
  const server = yield* startServer({
    ...onPostgres(database),
    LASTRO_NODE: name,
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: lender.url
  })
  return { lender, server, shop: patientClient(server, tokenOf(yield* signIn(server))) }
})

/** The application of each quote request that a lender received. */
const askedFor = ({ calls }: RecordingLenderServer): ReadonlyArray<string> =>
  calls.filter(({ path }) => path === "/quotes").map(({ body }) => String(Object(body)["application_id"]))

let customers = 0

const open = (shop: Desk) => Effect.suspend(() => Effect.map(shop.open(sandboxCpf("00", customers++)), idOf))

const tenTimes = (shop: Desk) => Array.from({ length: 10 }, () => shop)

const settled = (shop: Desk, ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id) => shop.until(id, isSettled), { concurrency: 10 })

describe("two servers on one PostgreSQL", () => {
  it.live(
    "end long polls of the other, share the quotes, and take over those of a crashed one",
    () =>
      Effect.gen(function*() {
        const database = yield* migratedDatabase
        const one = yield* node(database, "one")
        const other = yield* node(database, "other")

        const id = yield* open(one.shop)
        const known = (yield* other.shop.until(id, isSettled)).headers.get("etag")
        const waiting = yield* Effect.forkChild(other.shop.status(id, { wait: 30, known }))
        yield* Effect.sleep("300 millis")
        yield* one.shop.submitKyc(id, kycOf(sandboxCpf("00", 0)))
        const woken = yield* Fiber.join(waiting)
        assert.deepStrictEqual([woken.status, at(woken, "next_action")], [200, "ACCEPT_OFFER"])

        // The second server takes over part of the jobs a moment after its start.
        while (askedFor(one.lender).length === 0 || askedFor(other.lender).length === 0) {
          yield* settled(one.shop, [yield* open(one.shop)])
        }
        const shared = yield* Effect.forEach([...tenTimes(one.shop), ...tenTimes(other.shop)], open, {
          concurrency: 10
        })
        yield* settled(other.shop, shared)
        const asked = [...askedFor(one.lender), ...askedFor(other.lender)].filter((id) => shared.includes(id))
        assert.deepStrictEqual(asked.toSorted(), shared.toSorted())

        // The calls of the dead node fill the limit of the lender, which is 16 calls in progress.
        one.lender.injectFaults(...Array.from({ length: 100 }, () => "SILENCE" as const))
        const before = askedFor(one.lender).length
        const left: Array<string> = []
        while (askedFor(one.lender).length < before + 16) left.push(yield* open(other.shop))
        one.server.kill("SIGKILL")
        const [elapsed, statuses] = yield* Effect.timed(settled(other.shop, left))
        for (const status of statuses) assert.strictEqual(at(status, "status"), "QUOTED")
        // The calls would lapse after 35 s (LENDER-26).
        assert.isBelow(Duration.toSeconds(elapsed), 20)
        assert.includeMembers([...askedFor(other.lender)], askedFor(one.lender).slice(before))
      }),
    { timeout: 120_000 }
  )
})
