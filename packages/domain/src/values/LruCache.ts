/** A map of at most `capacity` entries that evicts the least recently used entry. */
export class LruCache<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #capacity: number
  /** The key of the most recently used entry. This entry need not be moved when it is used again. */
  #newest: K | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined || key === this.#newest) return value
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    return value
  }

  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#newest = key
    if (this.#entries.size <= this.#capacity) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  /** Removes an entry. Returns whether there was one. */
  delete(key: K): boolean {
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
