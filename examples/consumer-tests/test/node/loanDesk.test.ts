// The desk over fakes in memory, under node's own runner: the lender is scripted, the clock stands still, ports fail on demand.
import { centavos, PartnerRepository, UnitOfWork } from "@lastro/domain"
import { aCaller, aPartner, InjectedFault, offering, openTestLastro, refusing, silent } from "@lastro/testkit"
import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { DeskRefusal, LoanDesk } from "../../src/LoanDesk.ts"

const ana = { name: "Ana Exemplo", cpf: "529.982.247-25", born: "1990-05-17" }

const openDesk = async (t: TestContext) => {
  const world = await openTestLastro({ now: "2026-03-02T09:00:00.000Z" })
  t.after(() => world.close())
  const shop = await world.given(aPartner().named("Loja do Centro"))
  const clerk = await world.callerFor(aCaller().at(shop).inGroup("operator"))
  return { ...world, shop, desk: new LoanDesk(world.lastro, clerk) }
}

test("a client is told of the best offer", async (t) => {
  const { desk, finishWork, lender, state } = await openDesk(t)
  lender.answersQuotes(offering(centavos(700_00), centavos(900_00)))
  const file = await desk.open("4711", ana)
  // Ids are counted up; the first one is that of the quote.
  assert.equal(file, "01900000-0000-7000-9000-000000000002")
  assert.equal((await desk.tell(file)).letter, "We are asking for offers.")
  await finishWork()
  assert.deepEqual(await desk.tell(file), { file, letter: "We have 2 offers, the best of R$ 900.00." })
  const [stored] = state().applications.values()
  assert.equal(stored?.application.created_at, "2026-03-02T09:00:00.000Z")
  assert.equal(stored?.application.customer.cpf, "52998224725")
})

test("a client without a balance is told so", async (t) => {
  const { desk, finishWork, lender } = await openDesk(t)
  lender.answersQuotes(refusing("NO_BALANCE"))
  const file = await desk.open("4711", ana)
  await finishWork()
  assert.equal((await desk.tell(file)).letter, "There is nothing to anticipate.")
})

test("a lender that keeps silent is asked three times, and the client told to come back", async (t) => {
  const { clock, desk, finishWork, lender } = await openDesk(t)
  lender.answersQuotes(silent())
  const file = await desk.open("4711", ana)
  await finishWork()
  assert.equal(lender.calls().length, 3)
  assert.ok(clock.now() > "2026-03-02T09:00:00.000Z", "the pauses between them have passed")
  assert.equal((await desk.tell(file)).letter, "The lender cannot be reached; please come back tomorrow.")
})

test("offers expire after a day, and are asked for again", async (t) => {
  const { clock, desk, finishWork, lender } = await openDesk(t)
  lender.answersQuotes(offering(centavos(900_00)), offering(centavos(800_00)))
  const file = await desk.open("4711", ana)
  await finishWork()
  await clock.advance("24 hours")
  assert.equal((await desk.tell(file)).letter, "The offers have expired; we are asking for new ones.")
  await finishWork()
  assert.equal((await desk.tell(file)).letter, "We have 1 offer of R$ 800.00.")
})

test("what is wrong with a client's papers is told field by field", async (t) => {
  const { desk } = await openDesk(t)
  const wrong = new DeskRefusal("customer.cpf INVALID_CHECK_DIGIT, customer.birth_date INVALID_FORMAT")
  await assert.rejects(desk.open("4711", { ...ana, cpf: "52998224726", born: "17/05/1990" }), wrong)
})

test("a clerk who only looks opens no files", async (t) => {
  const { callerFor, lastro, shop } = await openDesk(t)
  const viewer = await callerFor(aCaller().at(shop).inGroup("viewer"))
  await assert.rejects(new LoanDesk(lastro, viewer).open("4711", ana), new DeskRefusal("this clerk opens no files"))
})

test("a file whose answer was lost is not opened twice", async (t) => {
  const { desk, faults, state } = await openDesk(t)
  faults.loseAnswer(UnitOfWork, "atomically")
  const file = await desk.open("4711", ana)
  assert.deepEqual([...state().applications.keys()], [file])
  assert.equal(faults.calls(UnitOfWork, "atomically").length, 2)
})

test("a database that is away for long is nobody's refusal", async (t) => {
  const { desk, faults, state } = await openDesk(t)
  const away = faults.fail(UnitOfWork, "atomically", { times: Infinity })
  await assert.rejects(desk.open("4711", ana), InjectedFault)
  assert.equal(away.struck, 2)
  assert.equal(state().applications.size, 0)
  away.lift()
  await desk.open("4711", ana)
  assert.equal(state().applications.size, 1)
})

test("a slow database delays an answer until the clock has gone on", async (t) => {
  const { callerFor, clock, faults, lastro, shop } = await openDesk(t)
  const admin = await callerFor(aCaller().at(shop))
  faults.delay(PartnerRepository, "list", "3 seconds")
  const list = lastro.listPartners(admin)
  await clock.advance("3 seconds")
  const shops = await list
  assert.equal(shops._tag === "Success" && shops.success.page.total_elements, 1)
})
