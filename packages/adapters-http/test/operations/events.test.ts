import { assert, describe, it, vi } from "@effect/vitest"
import { deleteOldEvents } from "@lastro/domain/event"
import { StatusWatch } from "@lastro/domain/origination"
import { orThrow } from "@lastro/domain/promises"
import { aCaller, aPartner, aUser } from "@lastro/testkit"
import { openTestApi } from "@lastro/testkit/http"

interface Feed {
  readonly data: ReadonlyArray<{ readonly sequence: number; readonly type: string }>
  readonly next: number
}

const setUp = async () => {
  const api = await openTestApi()
  const root = await api.given(aPartner())
  const user = aUser().of(root).inGroup("admin")
  const admin = await api.callerFor(aCaller().at(root).inGroup("admin"))
  let number = 0
  const rename = async () =>
    orThrow(await api.lastro.updatePartner(admin, root.partner_id, { partner: { name: `Loja ${++number}` } }))
  const get = (query: string) => api.fetch(`/api/v1/events${query}`, { as: user })
  return { ...api, root, user, rename, get }
}

const read = async (response: Promise<Response>): Promise<Feed> => {
  const answer = await response
  assert.strictEqual(answer.status, 200)
  return await answer.json() as Feed
}

describe("GET /api/v1/events", () => {
  it("EVENT-05 answers at once if there is an event, and otherwise when one is committed", async () => {
    await using api = await setUp()
    await api.rename()
    const first = await read(api.get("?wait=30"))
    assert.deepStrictEqual(Object.keys(first), ["data", "next"])
    assert.deepStrictEqual(first.data.map(({ type }) => type), ["partner.updated"])
    const waiting = api.get(`?after=${first.next}&wait=30`)
    await api.rename()
    const second = await read(waiting)
    assert.deepStrictEqual(second.data.map(({ sequence }) => sequence), [2])
  })

  it("answers nothing and the same `next` when the wait expires", async () => {
    await using api = await setUp()
    const waiting = api.get("?wait=2")
    await vi.waitUntil(() => api.faults.calls(StatusWatch, "hold").length > 0)
    await api.clock.advance("2 seconds")
    assert.deepStrictEqual(await read(waiting), { data: [], next: 0 })
  })

  it("answers 410 for an `after` whose next event was deleted, and begins with the oldest event without it", async () => {
    await using api = await setUp()
    await api.rename()
    await api.rename()
    await api.clock.advance("91 days")
    orThrow(await api.lastro.run(deleteOldEvents()))
    await api.rename()
    const expired = await api.get("?after=1")
    const body = await expired.json() as { readonly error: { readonly code: string } }
    assert.deepStrictEqual([expired.status, body.error.code], [410, "EVENTS_EXPIRED"])
    assert.deepStrictEqual((await read(api.get(""))).data.map(({ sequence }) => sequence), [3])
    assert.deepStrictEqual((await read(api.get("?after=2"))).data.map(({ sequence }) => sequence), [3])
  })

  it("refuses an invalid wait, sequence or subject and names the field", async () => {
    await using api = await setUp()
    const fieldsOf = async (query: string) => {
      const refused = await api.get(query)
      const body = await refused.json() as { readonly error: { readonly details: ReadonlyArray<{ field: string }> } }
      return [refused.status, ...body.error.details.map(({ field }) => field)]
    }
    assert.deepStrictEqual(await fieldsOf("?wait=soon"), [422, "query.wait"])
    assert.deepStrictEqual(await fieldsOf("?after=1.5"), [422, "query.after"])
    assert.deepStrictEqual(await fieldsOf(`?after=${10n ** 20n}`), [422, "query.after"])
    // A database cannot compare a text with NUL.
    assert.deepStrictEqual(await fieldsOf("?subject_id=%00"), [422, "query.subject_id"])
    const last = Number.MAX_SAFE_INTEGER
    assert.deepStrictEqual(await read(api.get(`?after=${last}`)), { data: [], next: last })
  })

  it("does not answer a caller who lost the permission during the wait", async () => {
    await using api = await setUp()
    const { subject } = await api.callerFor(api.user)
    const waiting = api.get("?wait=30")
    await vi.waitUntil(() => api.faults.calls(StatusWatch, "hold").length > 0)
    const operator = await api.callerFor(aCaller().at(api.root).inGroup("admin"))
    orThrow(await api.lastro.updateUser(operator, subject, { status: "INACTIVE" }))
    await api.rename()
    assert.strictEqual((await waiting).status, 401)
  })
})
