import { orThrow } from "@lastro/domain/promises"
import { Effect, Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { migratedDatabase } from "../postgres.ts"
import { openSubscriber, project, setUp, until, upTo } from "./subscribers.ts"

const scope = Scope.makeUnsafe()
let url = ""
beforeAll(async () => {
  url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, { _tag: "Success" } as never)))

/** Starts a process that prints the events it handles, up to one whose handlers never end. */
const startSubscriber = (partner_id: string, last: number) => {
  const path = fileURLToPath(new URL("./dyingSubscriber.ts", import.meta.url))
  const child = spawn(process.execPath, [path, url, partner_id, String(last)], { stdio: ["ignore", "pipe", "inherit"] })
  const printed: Array<string> = []
  createInterface({ input: child.stdout }).on("line", (line) => printed.push(line))
  const kill = async () => {
    child.kill("SIGKILL")
    await once(child, "exit")
  }
  return { kill, of: (name: string) => printed.filter((line) => line.startsWith(`${name} `)) }
}

describe("a process that is killed while it handles an event", () => {
  it("is followed by another one, which goes on at this event, in order and without a gap", async () => {
    await using lastro = await openSubscriber(url)
    const { partner_id, rename, sequences } = await setUp(lastro)
    await rename(11)
    const last = 8
    const dying = startSubscriber(partner_id, last)
    await until(
      "both handlers of the last event run",
      async () => [dying.of("mail"), dying.of("projection")].every(({ length }) => length === last)
    )
    const seen: Array<number> = []
    const mail = await lastro.subscribe("mail", async ({ sequence }) => seen.push(sequence), { partner_id })
    const projection = await lastro.subscribe("projection", project, { partner_id, transaction: true })
    await using _ = orThrow(mail)
    await using __ = orThrow(projection)
    await rename()
    assert.deepStrictEqual([seen, await sequences()], [[], upTo(last - 1)])

    await dying.kill()
    await rename(7)
    await until(
      "the next process handled all events",
      async () => seen.length === 20 - last + 1 && (await sequences()).length === 20
    )
    assert.deepStrictEqual(dying.of("mail"), upTo(last).map((sequence) => `mail ${sequence}`))
    assert.deepStrictEqual(seen, upTo(20).slice(last - 1))
    assert.deepStrictEqual(await sequences(), upTo(20))
  })
})
