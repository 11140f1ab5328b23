import { commissionOracle, type OracleLink } from "./commissionOracle.ts"

/** A contract of the model, with the chain that was frozen at its acceptance. */
interface OracleContract {
  readonly chain: ReadonlyArray<OracleLink>
  readonly basis: number
  status: "ACCEPTED" | "PAID" | "REVERSED"
}

/**
 * A model of the ledger of commissions for one tree, independent of the domain's rules. A test performs each step on
 * the model and on Lastro, and compares the balances. Percents are decimal texts, and amounts are in centavos.
 */
export class LedgerOracle {
  readonly #parents = new Map<string, string | null>()
  /** The percent in the current plan of each partner. A partner without a plan receives nothing. */
  readonly #percents = new Map<string, string>()
  readonly #contracts = new Map<string, OracleContract>()
  readonly #adjustments = new Map<string, number>()

  /** Adds a partner below another one. With the parent null, it is a root. */
  add(partner: string, parent: string | null): void {
    this.#parents.set(partner, parent)
  }

  /** Writes a plan that is in force at once. */
  plan(partner: string, percent: string): void {
    this.#percents.set(partner, percent)
  }

  /** Moves a partner. It then has no plan. */
  move(partner: string, parent: string): void {
    this.#parents.set(partner, parent)
    this.#percents.delete(partner)
  }

  /** Returns the partners from the root to a partner. */
  path(partner: string): ReadonlyArray<string> {
    const parent = this.#parents.get(partner) ?? null
    return parent === null ? [partner] : [...this.path(parent), partner]
  }

  /** Accepts a contract of a seller. `basis` is its basis amount. */
  accept(contract: string, seller: string, basis: number): void {
    const chain = this.path(seller).map((partner) => ({ partner, percent: this.#percents.get(partner) ?? "0" }))
    this.#contracts.set(contract, { chain, basis, status: "ACCEPTED" })
  }

  /** Pays an accepted contract. Does nothing for any other. */
  pay(contract: string): void {
    const found = this.#contracts.get(contract)
    if (found?.status === "ACCEPTED") found.status = "PAID"
  }

  /** Reverses a paid contract. Does nothing for any other. */
  reverse(contract: string): void {
    const found = this.#contracts.get(contract)
    if (found?.status === "PAID") found.status = "REVERSED"
  }

  /** Adjusts the balance of a partner. */
  adjust(partner: string, amount: number): void {
    this.#adjustments.set(partner, (this.#adjustments.get(partner) ?? 0) + amount)
  }

  /** Returns the sum of the entries of a contract: the root's share while the contract is paid, otherwise 0. */
  sumOf(contract: string): number {
    const { basis, chain: [root], status } = this.#contracts.get(contract) ??
      { basis: 0, chain: [], status: "ACCEPTED" }
    return root === undefined || status !== "PAID" ? 0 : commissionOracle(basis, [root]).get(root.partner) ?? 0
  }

  /** Returns the sum of all entries of each partner that has any. Payouts are not deducted. */
  balances(): ReadonlyMap<string, number> {
    const balances = new Map(this.#adjustments)
    for (const { basis, chain, status } of this.#contracts.values()) {
      if (status !== "PAID") continue
      for (const [partner, amount] of commissionOracle(basis, chain)) {
        balances.set(partner, (balances.get(partner) ?? 0) + amount)
      }
    }
    return balances
  }
}
