// A consumer's tests, as they are written for node's own runner: run by consumers.test.ts in a process of their own.
import { PartnerRepository } from "@lastro/domain"
import { aCaller, anApplication, aPartner, InjectedFault, openTestLastro, refusing } from "@lastro/testkit"
import { partnerDetail } from "@lastro/testkit/arbitraries"
import { openTestApi } from "@lastro/testkit/http"
import * as fc from "fast-check"
import assert from "node:assert/strict"
import { test } from "node:test"

test("use cases over fakes", async (t) => {
  const world = await openTestLastro()
  t.after(() => world.close())
  const root = await world.given(aPartner().named("Raiz"))
  const viewer = await world.callerFor(aCaller().at(root).inGroup("viewer"))
  const found = await world.lastro.getPartner(viewer, root.partner_id)
  assert.deepEqual(found._tag === "Success" && found.success, root)
  const refused = await world.lastro.deletePartner(viewer, root.partner_id)
  assert.equal(refused._tag === "Failure" && refused.failure._tag, "PermissionDenied")
})

test("a scripted lender, and a port that fails", async (t) => {
  const world = await openTestLastro()
  t.after(() => world.close())
  world.lender.answersQuotes(refusing("NO_BALANCE"))
  const { application_id } = await world.given(anApplication())
  await world.finishWork()
  const stored = world.state().applications.get(application_id)
  assert.equal(stored?.application.quotes[0].rejection?.code, "NO_BALANCE")
  world.faults.fail(PartnerRepository, "list")
  const admin = await world.callerFor(aCaller())
  await assert.rejects(world.lastro.listPartners(admin), InjectedFault)
})

test("the API within this process", async (t) => {
  const api = await openTestApi()
  t.after(() => api.close())
  const answer = await api.fetch("/api/v1/users/me", { as: aCaller().inGroup("manager") })
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /"slug":"manager"/)
})

test("arbitraries", () => {
  fc.assert(fc.property(partnerDetail, ({ name }) => name.length > 1))
})

test("a world that nobody closes keeps no process alive", async () => {
  const { clock, given } = await openTestLastro()
  await given(anApplication())
  await clock.advance("1 hour")
})
