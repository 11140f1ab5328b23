import { LruCache } from "@lastro/domain/values"

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
  readonly #kept = new LruCache<string, Statement>(maxShapes)
  readonly #seen = new LruCache<string, true>(maxSeen)

  /**
   * Returns undefined at the first use of a shape. The second use builds its statement, and later uses return the same
   * one. After the statement is dropped, the next use counts as the first.
   */
  find(shape: string, build: () => Statement): Statement | undefined {
    const kept = this.#kept.get(shape)
    if (kept !== undefined) return kept
    if (!this.#seen.delete(shape)) {
      this.#seen.set(shape, true)
      return undefined
    }
    const built = build()
    this.#kept.set(shape, built)
    return built
  }
}
