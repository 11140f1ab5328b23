/* oxlint-disable eslint/no-await-in-loop -- a step of a contract follows the one before */
import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { aCommissionPlan, layerMemory, layerMemoryStorage } from "@lastro/testkit"
import { commissionOracle } from "@lastro/testkit/scenarios"
import { Context, Effect, Layer, Result } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { CommissionPlans } from "../../src/commission/CommissionPlans.ts"
import { type HostContractStatus, judgeContractStep } from "../../src/commission/HostContract.ts"
import { type HostContracts } from "../../src/commission/HostContracts.ts"
import { type NewPlan } from "../../src/commission/Plan.ts"
import { type Share } from "../../src/commission/Share.ts"
import { asOperator } from "../../src/hierarchy/Scope.ts"
import { CommonPasswords } from "../../src/identity/CommonPasswords.ts"
import { PasswordHasher } from "../../src/identity/PasswordHasher.ts"
import { IdGenerator, SecretGenerator } from "../../src/ports/generators.ts"
import { openAdministration } from "../../src/promises/openAdministration.ts"
import {
  type HostContractFailure,
  openCommissions,
  type PortsOfCommissions
} from "../../src/promises/openCommissions.ts"
import { type UseCasePorts } from "../../src/promises/UseCasePorts.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { partnerBody, refusal, success } from "./opened.ts"

const generators = Layer.effectContext(
  Effect.map(Layer.build(layerMemory), Context.pick(CommonPasswords, IdGenerator, PasswordHasher, SecretGenerator))
)

const contract_id = "0197f3a2-d394-75c6-80c2-738495a6b7c8"

/** A root with a partner below it and a seller below that partner, with their plans. */
const openNetwork = async () => {
  const administration = await openAdministration(Layer.merge(layerMemoryStorage, generators))
  await success(administration.bootstrap({ client_id: "erp" }))
  const commissions = await openCommissions(administration.layer as Layer.Layer<PortsOfCommissions>)
  const caller = await success(administration.callerOfClient("erp"))
  const create = (document: string, parent_uuid?: string) =>
    success(administration.createPartner(caller, {
      partner: { ...partnerBody(document).partner, ...parent_uuid === undefined ? {} : { parent_uuid } }
    }))
  const master = await create("11222333000181")
  const seller = await create("11444777000161", master.partner_id)
  const root_id = caller.partner_id
  const plan = async (partner_id: PartnerId, percent: number, fields: Partial<NewPlan> = {}) => {
    const rates = [{ lender: null, table: null, share: percent * 10_000 as Share }]
    const written = await success(commissions.run(aCommissionPlan({ partner_id }, { rates, ...fields })))
    await success(
      commissions.run(CommissionPlans.use((plans) => plans.insert(asOperator.inScope(partner_id), written)))
    )
  }
  await plan(root_id, 12.5, { basis: "NET" })
  await plan(master.partner_id, 60)
  await plan(seller.partner_id, 33.3333)
  return { administration, commissions, caller, plan, root_id, master, seller }
}

const acceptance = (partner_id: string) => ({
  contract_id,
  partner_id,
  lender: "bank",
  table: "gold",
  gross_amount: 1_300,
  principal_amount: 1_020,
  net_amount: 1_000.01
})

const payment = { contract_id, paid_at: "2026-01-05T12:00:00Z", reference: "C-1" }

const amountsOf = async (
  { commissions, caller }: {
    readonly commissions: Awaited<ReturnType<typeof openCommissions>>
    readonly caller: Caller
  },
  query: object
) => {
  const { content } = await success(commissions.listCommissions(caller, query))
  return new Map(content.map(({ amount, partner_id }) => [partner_id as string, Math.round(amount * 100)]))
}

describe("openCommissions", () => {
  it("COMM-26 a contract is accepted, paid once and reversed once, and a repetition changes nothing", () => {
    const outcome = (status: HostContractStatus, step: Exclude<HostContractStatus, "ACCEPTED">) =>
      Result.match(judgeContractStep(status, step), { onSuccess: String, onFailure: () => "refused" })
    const steps = ["PAID", "REVERSED", "ENDED"] as const
    assert.deepStrictEqual(steps.map((step) => outcome("ACCEPTED", step)), ["true", "refused", "true"])
    assert.deepStrictEqual(steps.map((step) => outcome("PAID", step)), ["false", "true", "refused"])
    assert.deepStrictEqual(steps.map((step) => outcome("REVERSED", step)), ["false", "false", "refused"])
    assert.deepStrictEqual(steps.map((step) => outcome("ENDED", step)), ["refused", "refused", "false"])
  })

  it("COMM-09 COMM-12 COMM-13 a host records its own loans, and the partners earn by the rules of the ledger", async () => {
    const network = await openNetwork()
    const { administration, caller, commissions, master, plan, root_id, seller } = network
    const accepted = await success(commissions.recordAcceptance(caller, acceptance(seller.partner_id)))
    assert.deepStrictEqual(
      accepted,
      { contract_id, partner_id: seller.partner_id, status: "ACCEPTED" } as typeof accepted
    )
    const dependents = await administration.deletePartner(caller, seller.partner_id)
    assert.isTrue(Result.isFailure(dependents) && dependents.failure._tag === "PartnerHasDependents")
    // Neither a new plan nor a repeated acceptance changes what was frozen.
    await plan(master.partner_id, 1)
    await success(commissions.recordAcceptance(caller, { ...acceptance(seller.partner_id), net_amount: 5 }))
    for (let times = 0; times < 2; times++) {
      assert.strictEqual((await success(commissions.recordPayment(caller, payment))).status, "PAID")
    }
    const expected = commissionOracle(100_001, [
      { partner: root_id, percent: "12.5" },
      { partner: master.partner_id, percent: "60" },
      { partner: seller.partner_id, percent: "33.3333" }
    ])
    assert.deepStrictEqual(await amountsOf(network, {}), new Map(expected))
    const file = "reference,paid_amount,commission_amount,paid_at\nC-1,1000.01,125.00,2026-01-05"
    const compared = await success(
      commissions.compareCommissionStatement(caller, file, { period: "2026-01", lender: "bank" })
    )
    assert.deepStrictEqual([compared.matched, compared.differences], [1, []])
    assert.strictEqual(await refusal(commissions.recordEnd(caller, { contract_id })), "ContractStepRefused")
    for (let times = 0; times < 2; times++) await success(commissions.recordReversal(caller, { contract_id }))
    assert.deepStrictEqual(
      await amountsOf(network, { kind: "CLAWBACK" }),
      new Map(Array.from(expected, ([partner, amount]) => [partner, -amount]))
    )
    assert.strictEqual((await success(commissions.listCommissions(caller))).page.total_elements, 6)
    const audit = await success(administration.listAudit(caller, { subject_id: contract_id }))
    assert.sameMembers(audit.content.map(({ action }) => action), [
      "commission_contract.accepted",
      "commission_contract.paid",
      "commission_contract.reversed"
    ])
    await administration.close()
  })

  it("COMM-26 a contract that ends is not paid, and other trees neither see nor change it", async () => {
    const { administration, caller, commissions, seller } = await openNetwork()
    await success(commissions.recordAcceptance(caller, acceptance(seller.partner_id)))
    const other = await success(administration.createRootPartner(partnerBody("11222333000181")))
    const stranger = await success(administration.callerAt(other.partner_id, { subject: "s", group: "admin" }))
    for (const record of [commissions.recordReversal, commissions.recordEnd]) {
      assert.strictEqual(await refusal(record(stranger, { contract_id })), "contract_id NOT_FOUND")
    }
    assert.strictEqual(await refusal(commissions.recordPayment(stranger, payment)), "contract_id NOT_FOUND")
    assert.strictEqual(
      await refusal(commissions.recordAcceptance(stranger, acceptance(other.partner_id))),
      "contract_id DUPLICATE"
    )
    assert.strictEqual(
      await refusal(commissions.recordAcceptance(stranger, acceptance(seller.partner_id))),
      "partner_id OUTSIDE_HIERARCHY"
    )
    assert.strictEqual((await success(commissions.recordEnd(caller, { contract_id }))).status, "ENDED")
    assert.strictEqual(await refusal(commissions.recordPayment(caller, payment)), "ContractStepRefused")
    assert.strictEqual(await refusal(administration.deletePartner(caller, seller.partner_id)), "done")
    assert.strictEqual(
      await refusal(commissions.recordAcceptance(caller, { contract_id: "x", net_amount: 0 })),
      "contract_id INVALID_FORMAT, partner_id REQUIRED, lender REQUIRED, table REQUIRED, gross_amount REQUIRED, " +
        "principal_amount REQUIRED, net_amount OUT_OF_RANGE"
    )
    for (const paid_at of ["2199-01-01T00:00:00Z", "1900-01-01T03:06:00Z"]) {
      assert.strictEqual(
        await refusal(commissions.recordPayment(caller, { contract_id, paid_at })),
        "paid_at OUT_OF_RANGE"
      )
    }
    await administration.close()
  })

  it("needs no lender, no durable jobs and no applications", () => {
    expectTypeOf<
      Extract<PortsOfCommissions, { readonly key: `${string}/${"Lender" | "DurableWork" | "ApplicationRepository"}` }>
    >()
      .toBeNever()
    expectTypeOf<Exclude<PortsOfCommissions, HostContracts | UseCasePorts>>().toBeNever()
    expectTypeOf<"ContractStepRefused">().toExtend<HostContractFailure["_tag"]>()
  })
})
