import { commissionOracle, type OracleLink } from "./commissionOracle.ts"

/** A contract of the model, with the chain that was frozen at its acceptance. */
interface OracleContract {
  readonly chain: ReadonlyArray<OracleLink>
  readonly basis: number
  status: "ACCEPTED" | "PAID" | "REVERSED"
}

/** An adjustment of the model, with the partners from the root to the adjusted one at that time. */
interface OracleAdjustment {
  readonly path: ReadonlyArray<string>
  readonly amount: number
}

/**
 * A model of the ledger of commissions of one tree, without the domain's rules. A test performs each step on the model
 * and on Lastro, and compares the balances. Percents are decimal texts, and amounts are in centavos.
 */
export class LedgerOracle {
  readonly #parents = new Map<string, string | null>()
  /** The percent in the current plan of each partner. A partner without a plan receives nothing. */
  readonly #percents = new Map<string, string>()
  readonly #contracts = new Map<string, OracleContract>()
  readonly #adjustments: Array<OracleAdjustment> = []

  /** Adds a partner below its parent, or as a root if `parent` is null. */
  add(partner: string, parent: string | null): void {
    this.#parents.set(partner, parent)
  }

  /** Writes a plan that is in force at once. */
  plan(partner: string, percent: string): void {
    this.#percents.set(partner, percent)
  }

  /** Moves a partner. Its plan ends. */
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

  /** Pays an accepted contract. Ignores any other contract. */
  pay(contract: string): void {
    const stored = this.#contracts.get(contract)
    if (stored?.status === "ACCEPTED") stored.status = "PAID"
  }

  /** Reverses a paid contract. Ignores any other contract. */
  reverse(contract: string): void {
    const stored = this.#contracts.get(contract)
    if (stored?.status === "PAID") stored.status = "REVERSED"
  }

  /** Adjusts the balance of a partner. */
  adjust(partner: string, amount: number): void {
    this.#adjustments.push({ path: this.path(partner), amount })
  }

  /** Returns the sum of the entries of a contract: the root's share while the contract is paid, otherwise 0. */
  sumOf(contract: string): number {
    const stored = this.#contracts.get(contract)
    const root = stored?.chain[0]
    if (root === undefined || stored?.status !== "PAID") return 0
    return commissionOracle(stored.basis, [root]).get(root.partner) ?? 0
  }

  /**
   * Returns whether a partner sees the entries of a payee for a contract: both are in the frozen chain, and the payee is
   * not above the partner.
   */
  sees(viewer: string, payee: string, contract: string): boolean {
    const chain = this.#contracts.get(contract)?.chain.map(({ partner }) => partner) ?? []
    return chain.includes(viewer) && chain.indexOf(viewer) <= chain.indexOf(payee)
  }

  /** Returns the sum of the adjustments that a partner sees: its own, and those of partners that were below it. */
  adjustmentsSeenBy(viewer: string): number {
    return this.#adjustments.reduce((sum, { amount, path }) => path.includes(viewer) ? sum + amount : sum, 0)
  }

  /** Returns the sum of all entries of each partner that has any. Payouts are not deducted. */
  balances(): ReadonlyMap<string, number> {
    const balances = new Map<string, number>()
    for (const { amount, path } of this.#adjustments) {
      const partner = path.at(-1) ?? ""
      balances.set(partner, (balances.get(partner) ?? 0) + amount)
    }
    for (const { basis, chain, status } of this.#contracts.values()) {
      if (status !== "PAID") continue
      for (const [partner, amount] of commissionOracle(basis, chain)) {
        balances.set(partner, (balances.get(partner) ?? 0) + amount)
      }
    }
    return balances
  }
}
