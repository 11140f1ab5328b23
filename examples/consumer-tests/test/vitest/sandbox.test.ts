// The desk over the sandbox lender, under vitest: what comes of a client follows from the CPF.
import { layerSandboxLender } from "@lastro/domain"
import { aCaller, aCustomer, openTestLastro, type SandboxOutcome, type TestWorld } from "@lastro/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { LoanDesk } from "../../src/LoanDesk.ts"

let world: TestWorld
let desk: LoanDesk

beforeEach(async () => {
  world = await openTestLastro({ lender: layerSandboxLender({ stepMs: 0 }) })
  desk = new LoanDesk(world.lastro, await world.callerFor(aCaller().inGroup("operator")))
})

afterEach(() => world.close())

/** What a client is told of whom the sandbox lender makes this. */
const toldOf = async (outcome: SandboxOutcome): Promise<string> => {
  const { birth_date, cpf, name } = aCustomer().withSandboxOutcome(outcome).build()
  const file = await desk.open("4711", { name: name ?? "", cpf, born: birth_date })
  await world.finishWork()
  return (await desk.tell(file)).letter
}

describe("a loan desk at the sandbox lender", () => {
  it("has three offers for most clients", async () => {
    expect(await toldOf("PAID")).toMatch(/^We have 3 offers, the best of R\$ \d+\.\d\d\.$/)
  })

  it("tells why there is none", async () => {
    expect(await toldOf("NO_BALANCE")).toBe("There is nothing to anticipate.")
  })

  it("sends clients home when the lender is away", async () => {
    expect(await toldOf("UPSTREAM_UNAVAILABLE")).toBe("The lender cannot be reached; please come back tomorrow.")
  })

  it("gets over a lender that fails twice", async () => {
    expect(await toldOf("UPSTREAM_RECOVERS")).toMatch(/^We have 3 offers/)
  })
})
