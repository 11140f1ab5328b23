/** The partners of a tree by their place in the list, each with its parent. Null: the root. */
export const parentsAtStart: ReadonlyArray<number | null> = [null, 0, 0, 1, 1, 3, 2, 4]

/** The number of partners. The partner 0 is the root. */
export const partnerCount = parentsAtStart.length

/** One of two histories: the shares of the second one differ from those of the first one. */
export type Variant = 0 | 1

/**
 * The present tree, and the shares of two histories. The commission that reaches a partner outside the observer's
 * subtree is up to twice as high in the second history. The commission that reaches the observer, and each partner below
 * it, is the same in both. So the observer must get the same answers.
 */
export class Secrets {
  readonly #parents = [...parentsAtStart]
  readonly #observer: number
  /** Twice the ratio between the commission that reaches a partner in the second and in the first history. */
  readonly #gains: ReadonlyArray<number>

  constructor(observer: number, gains: ReadonlyArray<number>) {
    this.#observer = observer
    this.#gains = gains
  }

  path(partner: number): ReadonlyArray<number> {
    const parent = this.#parents[partner] ?? null
    return parent === null ? [partner] : [...this.path(parent), partner]
  }

  isInside(partner: number): boolean {
    return this.path(partner).includes(this.#observer)
  }

  /**
   * Moves a partner. Returns false if it may not move. A partner with partners below it does not leave or enter the
   * observer's subtree, because the plans below it would go with it.
   */
  move(partner: number, parent: number): boolean {
    if (this.path(parent).includes(partner) || this.#parents[partner] === parent) return false
    const isLeaf = !this.#parents.includes(partner)
    const crosses = partner !== this.#observer && this.isInside(partner) !== this.isInside(parent)
    if (crosses && !isLeaf) return false
    this.#parents[partner] = parent
    return true
  }

  /** Returns each move of a partner without partners below it into or out of the observer's subtree: partner and parent. */
  crossings(): ReadonlyArray<readonly [number, number]> {
    const all = Array.from(this.#parents.keys())
    return all.filter((partner) => partner !== this.#observer && !this.#parents.includes(partner)).flatMap((partner) =>
      all.filter((parent) => parent !== partner && this.isInside(parent) !== this.isInside(partner))
        .map((parent) => [partner, parent] as const)
    )
  }

  #gainOf(partner: number | null): number {
    return partner === null || this.isInside(partner) ? 2 : this.#gains[partner] ?? 2
  }

  /** Returns the percent of a rate: 24, 36 or 48 in the first history, and from 12 to 96 in the second one. */
  percent(partner: number, size: number, variant: Variant): number {
    const first = 24 + size % 3 * 12
    return variant === 0 ? first : first * this.#gainOf(partner) / this.#gainOf(this.#parents[partner] ?? null)
  }

  /** Returns the amount of an adjustment. Outside the observer's subtree, it differs. */
  adjustment(partner: number, size: number, variant: Variant): number {
    const first = (size % 2_001 - 1_000) / 100 || 1
    return variant === 0 || this.isInside(partner) ? first : Math.round(first * 170) / 100 || 2
  }
}
