// Tests the desk over in-memory fakes with node:test: a scripted lender, a settable clock, and fault injection.
import { PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { centavos } from "@lastro/domain/values"
import { aCaller, aPartner, InjectedFault, offering, openTestLastro, refusing, silent } from "@lastro/testkit"
import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { DeskRefusal, LoanDesk } from "../../src/LoanDesk.ts"

const ana = { name: "Ana Exemplo", cpf: "529.982.247-25", born: "1990-05-17" }

const openDesk = async (t: TestContext) => {
  const fixture = await openTestLastro({ now: "2026-03-02T09:00:00.000Z" })
  t.after(() => fixture.close())
  const shop = await fixture.given(aPartner().named("Loja do Centro"))
  const clerk = await fixture.callerFor(aCaller().at(shop).inGroup("operator"))
  return { ...fixture, shop, desk: new LoanDesk(fixture.lastro, clerk) }
}

test("a letter contains the best offer", async (t) => {
  const { desk, finishWork, lender, state } = await openDesk(t)
  lender.setQuoteAnswers(offering(centavos(700_00), centavos(900_00)))
  const id = await desk.open("4711", ana)
  // Ids are sequential. The quote has the first id.
  assert.equal(id, "01900000-0000-7000-9000-000000000002")
  assert.equal((await desk.reply(id)).letter, "We have requested offers.")
  await finishWork()
  assert.deepEqual(await desk.reply(id), { id, letter: "We have 2 offers, the best of R$ 900.00." })
  const [stored] = state().applications.values()
  assert.equal(stored?.application.created_at, "2026-03-02T09:00:00.000Z")
  assert.equal(stored?.application.customer.cpf, "52998224725")
})

test("a letter explains that there is no balance", async (t) => {
  const { desk, finishWork, lender } = await openDesk(t)
  lender.setQuoteAnswers(refusing("NO_BALANCE"))
  const id = await desk.open("4711", ana)
  await finishWork()
  assert.equal((await desk.reply(id)).letter, "Your FGTS account has no balance.")
})

test("a lender that does not respond is called three times", async (t) => {
  const { clock, desk, finishWork, lender } = await openDesk(t)
  lender.setQuoteAnswers(silent())
  const id = await desk.open("4711", ana)
  await finishWork()
  assert.equal(lender.calls().length, 3)
  assert.ok(clock.now() > "2026-03-02T09:00:00.000Z", "the clock advanced over the retry intervals")
  assert.equal((await desk.reply(id)).letter, "The lender is unavailable. Please come back tomorrow.")
})

test("offers expire after a day, and the next letter requests new ones", async (t) => {
  const { clock, desk, finishWork, lender } = await openDesk(t)
  lender.setQuoteAnswers(offering(centavos(900_00)), offering(centavos(800_00)))
  const id = await desk.open("4711", ana)
  await finishWork()
  await clock.advance("24 hours")
  assert.equal((await desk.reply(id)).letter, "The offers have expired. We have requested new ones.")
  await finishWork()
  assert.equal((await desk.reply(id)).letter, "We have 1 offer of R$ 800.00.")
})

test("invalid data is reported field by field", async (t) => {
  const { desk } = await openDesk(t)
  const wrong = new DeskRefusal("customer.cpf INVALID_CHECK_DIGIT, customer.birth_date INVALID_FORMAT")
  await assert.rejects(desk.open("4711", { ...ana, cpf: "52998224726", born: "17/05/1990" }), wrong)
})

test("a viewer may not open applications", async (t) => {
  const { callerFor, lastro, shop } = await openDesk(t)
  const viewer = await callerFor(aCaller().at(shop).inGroup("viewer"))
  await assert.rejects(
    new LoanDesk(lastro, viewer).open("4711", ana),
    new DeskRefusal("this clerk may not open applications")
  )
})

test("a retry after a lost response opens no second application", async (t) => {
  const { desk, faults, state } = await openDesk(t)
  faults.loseAnswer(UnitOfWork, "atomically")
  const id = await desk.open("4711", ana)
  assert.deepEqual([...state().applications.keys()], [id])
  assert.equal(faults.calls(UnitOfWork, "atomically").length, 2)
})

test("a database outage rejects the promise with the original error", async (t) => {
  const { desk, faults, state } = await openDesk(t)
  const outage = faults.fail(UnitOfWork, "atomically", { times: Infinity })
  await assert.rejects(desk.open("4711", ana), InjectedFault)
  assert.equal(outage.hits, 2)
  assert.equal(state().applications.size, 0)
  outage.lift()
  await desk.open("4711", ana)
  assert.equal(state().applications.size, 1)
})

test("a slow database delays the response until the clock has advanced", async (t) => {
  const { callerFor, clock, faults, lastro, shop } = await openDesk(t)
  const admin = await callerFor(aCaller().at(shop))
  faults.delay(PartnerRepository, "list", "3 seconds")
  const list = lastro.listPartners(admin)
  await clock.advance("3 seconds")
  const shops = await list
  assert.equal(shops._tag === "Success" && shops.success.page.total_elements, 1)
})
