/** A page of a list. */
export interface Paged<A> {
  readonly content: ReadonlyArray<A>
  readonly page: { readonly number: number; readonly total_pages: number }
  readonly next?: string | null
}

/** The page to read: its number, or the cursor after which it begins. */
interface PagePosition {
  readonly page?: number
  readonly after?: string
}

type ReadPage<P> = (size?: number, position?: PagePosition) => Promise<P>

/**
 * A list that is read on demand. `await` reads one page, `for await` reads all records, and `pages()` reads all pages.
 * They start at the page in the query. By default, a page has 100 records.
 *
 * Without a `page` in the query, the pages are read by cursors (`after`). Each page then takes the same time, however
 * long the list is. Records that are created or deleted meanwhile cause no skips or repeats. With a `page`, some
 * records can appear twice or not at all.
 */
export class List<P extends Paged<A>, A> implements PromiseLike<P>, AsyncIterable<A> {
  readonly #read: ReadPage<P>
  readonly #isNumbered: boolean
  #first: Promise<P> | undefined

  /** `isNumbered`: the query contains a page number. */
  constructor(read: ReadPage<P>, isNumbered: boolean) {
    this.#read = read
    this.#isNumbered = isNumbered
  }

  /** Reads one page, once. */
  // oxlint-disable-next-line unicorn/no-thenable -- `await client.listPartners()` reads a page
  then<B = P, C = never>(
    onFulfilled?: ((page: P) => B | PromiseLike<B>) | null,
    onRejected?: ((reason: unknown) => C | PromiseLike<C>) | null
  ): Promise<B | C> {
    this.#first ??= this.#read()
    return this.#first.then(onFulfilled, onRejected)
  }

  /** Reads one page. Handles its error. */
  catch<C>(onRejected: (reason: unknown) => C | PromiseLike<C>): Promise<P | C> {
    return this.then(undefined, onRejected)
  }

  /** Reads all pages, one after another. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let position: PagePosition | undefined = this.#isNumbered ? {} : { after: "start" }
    while (position !== undefined) {
      const page: P = await this.#read(100, position)
      yield page
      position = this.#positionAfter(page)
    }
  }

  /** Returns the position of the next page. Undefined after the last page. */
  #positionAfter({ next, page: { number, total_pages } }: P): PagePosition | undefined {
    if (this.#isNumbered && number + 1 >= total_pages) return undefined
    if (typeof next === "string") return { after: next }
    return this.#isNumbered ? { page: number + 1 } : undefined
  }

  /** Reads all records, one page after another. */
  async *[Symbol.asyncIterator](): AsyncGenerator<A, void, undefined> {
    for await (const { content } of this.pages()) yield* content
  }
}

/** A list that can also be read as a CSV file. */
export class ExportableList<P extends Paged<A>, A> extends List<P, A> {
  readonly #readCsv: () => Promise<ReadableStream<Uint8Array>>

  constructor(read: ReadPage<P>, isNumbered: boolean, readCsv: () => Promise<ReadableStream<Uint8Array>>) {
    super(read, isNumbered)
    this.#readCsv = readCsv
  }

  /**
   * Reads the whole list as a CSV file (RFC 4180) in UTF-8. The timeout covers the response headers only. To stop
   * reading the file, pass a signal or cancel the stream.
   */
  csv(): Promise<ReadableStream<Uint8Array>> {
    return this.#readCsv()
  }
}
