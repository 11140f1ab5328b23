import { assert, it } from "@effect/vitest"
import { completeCnpj } from "@lastro/domain/values"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ask, at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { startServer } from "./running/serving.ts"

/** Runs a program as root. Another user needs `sudo` without a password. */
const asRoot = (...command: ReadonlyArray<string>) => {
  const [program = "", ...args] = process.getuid?.() === 0 ? command : ["sudo", "-n", ...command]
  execFileSync(program, args)
}

/** A file system of 300 MiB in memory (Linux). */
const smallDisk = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "lastro-disk-"))
    asRoot("mount", "-t", "tmpfs", "-o", "size=300m,mode=1777", "tmpfs", folder)
    return folder
  }),
  (folder) =>
    Effect.sync(() => {
      asRoot("umount", "--lazy", folder)
      rmSync(folder, { recursive: true })
    })
)

/** Writes a file until the disk is full. */
const fill = (file: string) => {
  for (let size = 1_048_576; size > 0;) {
    try {
      writeFileSync(file, Buffer.alloc(size), { flag: "a" })
    } catch (error) {
      assert.propertyVal(error, "code", "ENOSPC")
      size = size === 1 ? 0 : Math.floor(size / 64) || 1
    }
  }
}

/** Values of some kilobytes, so that few records need a new page. */
const metadata = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`k${index}`, randomBytes(200).toString("hex")])
)

const repeatUntil = (request: Effect.Effect<Reply>, status: number) =>
  Effect.repeat(Effect.delay(request, "200 millis"), { until: (reply) => reply.status === status })

it.live(
  "a node whose embedded database has a really full disk is not ready, loses nothing, and is ready again with space",
  () =>
    Effect.gen(function*() {
      const disk = yield* smallDisk
      const server = yield* startServer({ LASTRO_DATA_DIR: join(disk, "data"), LASTRO_STOP_DELAY: "0" })
      const token = tokenOf(yield* signIn(server))
      const acknowledged: Array<unknown> = []
      let number = 0
      const create = Effect.gen(function*() {
        const document_number = completeCnpj(`12ABC345${String(++number).padStart(4, "0")}`)
        const partner = { type: "pj", name: "Loja", email: "loja@example.com", phone: "11987654321", document_number }
        const reply = yield* ask(server, "/api/v1/partners", { token, json: { partner, metadata } })
        assert.include([201, 503], reply.status, reply.text)
        if (reply.status === 201) acknowledged.push(at(reply, "data", "partner_id"))
        return reply
      })
      yield* repeatUntil(create, 201)
      fill(join(disk, "ballast"))
      // The last pages of the tables still have space.
      yield* repeatUntil(create, 503)
      yield* repeatUntil(ask(server, "/health/ready"), 503)
      rmSync(join(disk, "ballast"))
      yield* repeatUntil(ask(server, "/health/ready"), 200)
      yield* repeatUntil(create, 201)
      for (const id of acknowledged) {
        assert.strictEqual((yield* ask(server, `/api/v1/partners/${String(id)}`, { token })).status, 200)
      }
    }),
  120_000
)
