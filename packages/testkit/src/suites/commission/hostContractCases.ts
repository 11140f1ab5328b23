import { HostContracts, type StoredHostContract } from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { centavos, type ProposalId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { atomically, holdOpen, inParallel, rollBack } from "../suite/transactions.ts"

/** Builds an accepted contract. `chain` has the partners from the root to the partner of the contract. */
const aContract = Effect.fnUntraced(function*(
  chain: ReadonlyArray<PartnerDetail>,
  fields: Partial<StoredHostContract> = {}
) {
  const ids = chain.map(({ partner_id }) => partner_id)
  const contract: StoredHostContract = {
    contract_id: (yield* freshId) as ProposalId,
    root_id: ids[0] as StoredHostContract["root_id"],
    partner_id: ids.at(-1) as StoredHostContract["partner_id"],
    status: "ACCEPTED",
    frozen: {
      basis: "NET",
      lender: "bank",
      table: "gold",
      chain: ids.map((partner_id) => ({ partner_id, share: 125_000 }))
    },
    amounts: { gross_amount: centavos(130_000), principal_amount: centavos(102_000), net_amount: centavos(100_000) },
    accepted_at: exampleInstant,
    ...fields
  }
  return contract
})

const insert = (contract: StoredHostContract) =>
  HostContracts.use((contracts) => contracts.insert(asOperator.inScope(contract.partner_id), contract))

const find = ({ contract_id }: StoredHostContract) =>
  Effect.map(atomically(HostContracts.use((contracts) => contracts.findForUpdate(contract_id))), Option.getOrNull)

const setStatus = ({ contract_id }: StoredHostContract, status: StoredHostContract["status"]) =>
  HostContracts.use((contracts) => contracts.setStatus(contract_id, status))

/** Returns how many contracts with an open commission a partner has. */
const countOpen = (partner: PartnerDetail) =>
  Effect.map(
    PartnerRepository.use((partners) => partners.dependents(asOperator.inScope(partner))),
    ({ open_commissions }) => open_commissions
  )

/** Contract cases for HostContracts. */
export const hostContractCases: ContractCases<HostContracts | PartnerRepository | UnitOfWork> = (it, { units }) => {
  it("`insert` stores every field, and changes nothing and returns false if a contract with this id exists", function*() {
    const [root, child] = yield* storeForest([null, 0])
    const first = yield* aContract([root, child])
    assert.isTrue(yield* insert(first))
    assert.deepStrictEqual(yield* find(first), first)
    assert.isFalse(yield* insert({ ...first, partner_id: root.partner_id, frozen: null, status: "PAID" }))
    assert.deepStrictEqual(yield* find(first), first)
    const withoutCommission = yield* aContract([root, child], { frozen: null })
    yield* insert(withoutCommission)
    assert.deepStrictEqual(yield* find(withoutCommission), withoutCommission)
    assert.isNull(yield* find(yield* aContract([root])))
  })

  it("`setStatus` replaces the status, and `dependents` counts an accepted contract for every partner of its chain", function*() {
    const [root, child, other] = yield* storeForest([null, 0, 0])
    const counts = Effect.all([countOpen(root), countOpen(child), countOpen(other)])
    const [paid, ended] = [yield* aContract([root, child]), yield* aContract([root, other])]
    yield* insert(paid)
    yield* insert(ended)
    yield* insert(yield* aContract([root, child], { frozen: null }))
    assert.deepStrictEqual(yield* counts, [2, 1, 1])
    yield* setStatus(paid, "PAID")
    assert.deepStrictEqual(yield* find(paid), { ...paid, status: "PAID" })
    assert.deepStrictEqual(yield* counts, [1, 0, 1])
    yield* setStatus(ended, "ENDED")
    assert.deepStrictEqual(yield* counts, [0, 0, 0])
  })

  it("contracts of the host roll back with the surrounding transaction", function*() {
    const [root] = yield* storeForest([null])
    const [kept, lost] = [yield* aContract([root]), yield* aContract([root])]
    yield* insert(kept)
    yield* rollBack(Effect.andThen(insert(lost), setStatus(kept, "ENDED")))
    assert.deepStrictEqual([yield* find(kept), yield* find(lost)], [kept, null])
  })

  if (units === "serialised") return

  it("`findForUpdate` locks the contract until the transaction ends", function*() {
    const [root] = yield* storeForest([null])
    const contract = yield* aContract([root])
    yield* insert(contract)
    const { findForUpdate } = yield* HostContracts
    const first = yield* holdOpen(Effect.andThen(findForUpdate(contract.contract_id), setStatus(contract, "PAID")))
    const [second] = yield* inParallel([find(contract), first.release])
    assert.deepStrictEqual(second, { ...contract, status: "PAID" })
  })
}
