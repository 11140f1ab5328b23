import { type DomainEvent } from "@lastro/domain/event"
import {
  type LastroTransaction,
  openAdministration,
  openLastro,
  openOrigination,
  orThrow
} from "@lastro/domain/promises"
import { Effect, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { pauseAfterMs } from "../../src/event/EventArrivals.ts"
import { pglite } from "../databases.ts"
import { migratedDatabase } from "../postgres.ts"
import { openSubscriber, overDatabase, project, setUp, until, upTo } from "./subscribers.ts"

const scope = Scope.makeUnsafe()
let url = ""
beforeAll(async () => {
  url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, { _tag: "Success" } as never)))

const openProcess = () => openSubscriber(url)

describe("subscriptions of several processes on PostgreSQL", () => {
  it("share one name: each event is handled once and in order, and another process goes on after a stop", async () => {
    await using one = await openProcess()
    await using other = await openProcess()
    const { partner_id, rename, sequences } = await setUp(one)
    const options = { partner_id, transaction: true } as const
    const order: Array<number> = []
    let failing = true
    const handle = async (event: DomainEvent, tx: LastroTransaction) => {
      await project(event, tx)
      if (event.sequence === 3 && failing) {
        failing = false
        throw new Error("crash after the write")
      }
      order.push(event.sequence)
    }
    const first = orThrow(await one.subscribe("projection", handle, options))
    orThrow(await other.subscribe("projection", handle, options))
    await rename(19)
    await until("all events were handled", async () => (await sequences()).length === 20)
    assert.deepStrictEqual(order, upTo(20))
    await first.stop()
    await rename()
    await until("the other process goes on", async () => (await sequences()).length === 21)
    assert.deepStrictEqual(await sequences(), upTo(21))
  })

  it("a process that closes hands over, and the iterator of events reads what other processes commit", async () => {
    await using one = await openProcess()
    const { partner_id } = await setUp(one)
    const controller = new AbortController()
    const seen: Array<string> = []
    const reading = (async () => {
      for await (const { type } of one.events({ partner_id, signal: controller.signal })) {
        seen.push(type)
        if (seen.length === 3) controller.abort()
      }
    })()
    const other = await openProcess()
    const caller = orThrow(await other.callerAt(partner_id, { subject: "ana", group: "admin" }))
    const seenByOther: Array<string> = []
    orThrow(await other.subscribe("closing", async ({ type }) => seenByOther.push(type), { partner_id }))
    orThrow(await other.updatePartner(caller, partner_id, { partner: { name: "Loja A" } }))
    orThrow(await other.updatePartner(caller, partner_id, { partner: { name: "Loja B" } }))
    await reading
    assert.deepStrictEqual(seen, ["partner.created", "partner.updated", "partner.updated"])
    await until("the subscription handled them", async () => seenByOther.length === 3)
    await other.close()
    const later: Array<string> = []
    await using _ = orThrow(await one.subscribe("closing", async ({ type }) => later.push(type), { partner_id }))
    const again = orThrow(await one.callerAt(partner_id, { subject: "ana", group: "admin" }))
    orThrow(await one.updatePartner(again, partner_id, { partner: { name: "Loja C" } }))
    await until("the next process goes on", async () => later.length > 0)
    assert.deepStrictEqual(later, ["partner.updated"])
  })
})

describe("parts of Lastro, on PGlite", () => {
  it("subscribe, iterate over the events and export their own lists", async () => {
    await using lastro = await openLastro(overDatabase(pglite()))
    const { partner_id, rename, sequences } = await setUp(lastro)
    await using administration = await openAdministration(lastro.layer)
    await using origination = await openOrigination(lastro.layer)
    const projecting = await origination.subscribe("projection", project, { partner_id, transaction: true })
    const seen: Array<number> = []
    const noting = await administration.subscribe("note", async ({ sequence }) => seen.push(sequence), { partner_id })
    await using _ = orThrow(projecting)
    await using __ = orThrow(noting)
    await rename(4)
    await until("the part with a transaction handled them", async () => (await sequences()).length === 5)
    await until("the other part handled them", async () => seen.length === 5)
    assert.deepStrictEqual([await sequences(), seen], [upTo(5), upTo(5)])

    const read: Array<string> = []
    for await (const { sequence, type } of origination.events({ partner_id, after: 3 })) {
      read.push(`${sequence} ${type}`)
      if (sequence === 5) break
    }
    assert.deepStrictEqual(read, ["4 partner.updated", "5 partner.updated"])

    const caller = orThrow(await lastro.callerAt(partner_id, { subject: "ana", group: "admin" }))
    const exported: Array<string> = []
    for await (const one of orThrow(await administration.exportList(caller, "listPartners"))) exported.push(one.name)
    for await (const one of orThrow(await origination.exportList(caller, "listApplications"))) exported.push(one.status)
    assert.deepStrictEqual(exported, ["Loja 4"])
    // @ts-expect-error -- a part exports only its own lists
    const other = () => origination.exportList(caller, "listPartners")
    assert.isFunction(other)
  })
})

describe("waits for events", () => {
  it("end more rarely the more of them there are, and at most 250 ms apart", () => {
    assert.deepStrictEqual([0, 1, 2, 24, 25, 10_000].map(pauseAfterMs), [10, 10, 20, 240, 250, 250])
  })
})
