// Tests the desk over the sandbox lender with vitest. The CPF selects the outcome.
import { layerSandboxLender } from "@lastro/domain/adapters"
import { aCaller, aCustomer, openTestLastro, type SandboxOutcome, type TestFixture } from "@lastro/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { LoanDesk } from "../../src/LoanDesk.ts"

let fixture: TestFixture
let desk: LoanDesk

beforeEach(async () => {
  fixture = await openTestLastro({ lender: layerSandboxLender({ stepMs: 0 }) })
  desk = new LoanDesk(fixture.lastro, await fixture.callerFor(aCaller().inGroup("operator")))
})

afterEach(() => fixture.close())

/** Opens an application with this sandbox outcome. Returns the letter about it. */
const letterAbout = async (outcome: SandboxOutcome): Promise<string> => {
  const { birth_date, cpf, name } = aCustomer().withSandboxOutcome(outcome).build()
  const id = await desk.open("4711", { name: name ?? "", cpf, born: birth_date })
  await fixture.finishWork()
  return (await desk.reply(id)).letter
}

describe("a loan desk with the sandbox lender", () => {
  it("gets three offers for most clients", async () => {
    expect(await letterAbout("PAID")).toMatch(/^We have 3 offers, the best of R\$ \d+\.\d\d\.$/)
  })

  it("explains a refused quote", async () => {
    expect(await letterAbout("NO_BALANCE")).toBe("Your FGTS account has no balance.")
  })

  it("reports an unavailable lender", async () => {
    expect(await letterAbout("UPSTREAM_UNAVAILABLE")).toBe("The lender is unavailable. Please come back tomorrow.")
  })

  it("retries a lender that fails twice", async () => {
    expect(await letterAbout("UPSTREAM_RECOVERS")).toMatch(/^We have 3 offers/)
  })
})
