import { assert, describe, it } from "@effect/vitest"
import { PendingWork, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { at, codeOf, type Reply } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { givenOpened, givenVoice, offersOf } from "../origination.ts"

const count = 32_000

const unknownFields = Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 0]))

/** Unknown fields whose names take the most space in a response. */
const longNames = Object.fromEntries(
  Array.from({ length: 600 }, (_, index) => [index.toString(36).padStart(2, "0") + "\u0001".repeat(64), 0])
)

const assertSmall = (name: string, reply: Reply, least: number): void => {
  assert.deepStrictEqual([reply.status, codeOf(reply)], [422, "VALIDATION_FAILED"], name)
  assert.isBelow(Buffer.byteLength(reply.text), 100_000, name)
  const details = at(reply, "error", "details") as ReadonlyArray<unknown>
  assert.strictEqual(details.length, 100, name)
  const [, more] = /details\. (\d+) more problems are not listed\.$/.exec(String(at(reply, "error", "message"))) ?? []
  assert.isAtLeast(details.length + Number(more), least, name)
}

describe("T64 a small body", () => {
  it.effect("T64 with 32 000 unknown fields gets an answer under 100 kB from every operation", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token, user } = yield* givenCaller(root)
      const voice = yield* givenVoice(root)
      const { id } = yield* givenOpened(voice)
      yield* (yield* PendingWork).finish
      const [offer = ""] = offersOf(yield* voice.read(id))
      const applications = "/api/v1/fgts/applications"
      const partner = `/api/v1/partners/${root.partner_id}`
      const bodies: ReadonlyArray<readonly [method: string, path: string, group: string | null]> = [
        ["POST", "/api/v1/partners", "partner"],
        ["PATCH", partner, "address"],
        ["PATCH", partner, "partner"],
        ["POST", "/api/v1/users", null],
        ["PATCH", `/api/v1/users/${user.user_id}`, null],
        ["POST", applications, "customer"],
        ["POST", `${applications}/${id}/quotes`, null],
        ["POST", `${applications}/${id}/offers/${offer}/accept`, null],
        ["POST", `${applications}/${id}/kyc`, "address"]
      ]
      for (const [method, path, group] of bodies) {
        const send = (json: unknown) => server.send(path, { method, token, json })
        assertSmall(`${method} ${path}`, yield* send(unknownFields), count)
        assertSmall(`${method} ${path}, long names`, yield* send(longNames), 600)
        if (group !== null) assertSmall(`${method} ${path} ${group}`, yield* send({ [group]: unknownFields }), count)
      }
    })))

  it.effect("T64 the message counts the rest in Portuguese", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const reply = yield* server.send("/api/v1/users", {
        token,
        json: unknownFields,
        headers: { "accept-language": "pt-BR" }
      })
      assert.match(String(at(reply, "error", "message")), / Mais \d+ problemas não estão listados\.$/)
    })))
})
