import { orThrow } from "@lastro/domain/promises"
import { aCompleteKyc } from "@lastro/testkit"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { after, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { openPostgresLastro } from "../src/lastro.ts"
import { followPaidLoans } from "../src/paidLoans.ts"

const url = process.env["DATABASE_URL"]
if (url === undefined) {
  throw new Error("Set DATABASE_URL to a database for the tests: postgres://user:password@host/name")
}

const lastro = await openPostgresLastro(url)
after(() => lastro.close())

/** Each run creates its own tree, so the tests can run again on the same database. */
const shop = { type: "pj", name: "Loja", email: "loja@example.com", phone: "1133334444" }
const { partner_id } = orThrow(
  await lastro.createRootPartner({ partner: { ...shop, document_number: "11222333000181" } })
)
const caller = orThrow(await lastro.callerAt(partner_id, { subject: "ana", group: "admin" }))

/** Waits until a condition holds, for at most 30 seconds. */
const until = async (holds: () => Promise<boolean>) => {
  const end = Date.now() + 30_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, "the condition did not hold within 30 seconds")
    await setTimeout(50)
  }
}

/** Takes out a loan, and waits until it is paid. */
const payLoan = async (cpf: string) => {
  const customer = { cpf, birth_date: "1990-05-17", name: "Maria da Conceição" }
  const { application_id: id } = orThrow(await lastro.createApplication(caller, { external_id: cpf, customer }))
  const statusIs = (status: string) => async () =>
    orThrow(await lastro.getApplicationStatus(caller, id)).status.status === status
  await until(statusIs("QUOTED"))
  const [offer] = orThrow(await lastro.getApplication(caller, id)).quote.offers
  assert.ok(offer !== undefined)
  orThrow(await lastro.submitKyc(caller, id, aCompleteKyc().for(customer).build()))
  orThrow(await lastro.acceptOffer(caller, id, offer.offer_id, { terms_accepted: true }))
  await until(statusIs("CONTRACTED"))
}

/** Returns the number of counted loans. */
const counted = async () => {
  const { rows } = await lastro.atomically((tx) =>
    tx.query<{ readonly loans: number }>(
      "select coalesce(sum(loans), 0)::int as loans from paid_loans where partner_id = $1",
      [partner_id]
    )
  )
  return rows[0]?.loans
}

test("each paid loan is counted exactly once, although a process is killed between the handler and the commit", async () => {
  await payLoan("11144477735")
  await payLoan("52998224725")
  const crash = fileURLToPath(new URL("../crash.ts", import.meta.url))
  const child = spawn(process.execPath, [crash, url, partner_id], { stdio: "inherit" })
  const [, signal] = await once(child, "exit")
  assert.equal(signal, "SIGKILL")
  assert.equal(await counted(), 0)
  await using _ = await followPaidLoans(lastro, partner_id)
  await until(async () => (await counted()) === 2)
  await payLoan("39053344705")
  await until(async () => (await counted()) === 3)
})
