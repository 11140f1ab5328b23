import { LruCache } from "@lastro/domain/values"

/** Maximum number of prepared statements that are kept per list. A session keeps at most 100. */
export const maxShapes = 8

/** Maximum number of shapes that are remembered after one use. */
const maxSeen = 200

/**
 * Keeps the prepared statements that a list uses repeatedly, by shape. A shape is a combination of filters, sort and
 * page size. A statement is kept from the second use of its shape. If there are too many, the least recently used one
 * is dropped. A caller who tries many combinations can push prepared statements out of a session, which then prepares
 * them again.
 */
export class ListStatements<Statement> {
  readonly #kept = new LruCache<string, Statement>(maxShapes)
  readonly #seen = new LruCache<string, true>(maxSeen)

  /**
   * Returns the statement of a shape. Returns undefined at the first use of the shape, and also at the first use after
   * the statement was dropped. The second use builds the statement; later uses return it.
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
