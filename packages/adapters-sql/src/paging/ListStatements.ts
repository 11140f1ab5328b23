/**
 * Maximum number of texts of prepared statements that are kept for one list. A session keeps at most 100 prepared
 * statements.
 */
export const maxShapes = 8

/** Maximum number of shapes that were used once and are remembered. */
const maxSeen = 200

/**
 * Keeps the texts of statements that a list uses repeatedly. A shape is a combination of filters, sort and page size.
 * The text of a shape is kept from its second use on. If there are too many, the least recently used text is dropped. A
 * caller who tries many combinations can displace prepared statements of a session, which are then prepared again.
 */
export class ListStatements<Statement> {
  readonly #kept = new Map<string, Statement>()
  readonly #seen = new Set<string>()

  /**
   * Returns undefined at the first use of a shape. The second use builds its statement, and later uses return the same
   * one. After the statement is dropped, the next use counts as the first.
   */
  find(shape: string, build: () => Statement): Statement | undefined {
    const kept = this.#kept.get(shape)
    if (kept !== undefined) {
      this.#kept.delete(shape)
      this.#kept.set(shape, kept)
      return kept
    }
    if (!this.#seen.delete(shape)) {
      this.#remember(shape)
      return undefined
    }
    const built = build()
    this.#kept.set(shape, built)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxShapes && oldest !== undefined) this.#kept.delete(oldest)
    return built
  }

  #remember(shape: string): void {
    this.#seen.add(shape)
    const [oldest] = this.#seen
    if (this.#seen.size > maxSeen && oldest !== undefined) this.#seen.delete(oldest)
  }
}
