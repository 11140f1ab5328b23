/** A page of a list. */
export interface Paged<A> {
  readonly content: ReadonlyArray<A>
  readonly page: { readonly number: number; readonly total_pages: number }
}

/** Reads a page of a list. */
type ReadPage<P> = (size?: number, page?: number) => Promise<P>

/**
 * A list that is not read yet. `await` reads one page. `for await` reads all records, and `pages()` all pages, from the
 * page of the query on, with 100 records on a page unless the query has a `size`. If records are created or deleted
 * meanwhile, some may appear twice or not at all: follow the events to see every change.
 */
export class List<P extends Paged<A>, A> implements PromiseLike<P>, AsyncIterable<A> {
  readonly #read: ReadPage<P>
  #first: Promise<P> | undefined

  constructor(read: ReadPage<P>) {
    this.#read = read
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
    let page = await this.#read(100)
    yield page
    while (page.page.number + 1 < page.page.total_pages) {
      page = await this.#read(100, page.page.number + 1)
      yield page
    }
  }

  /** Reads all records, one page after another. */
  async *[Symbol.asyncIterator](): AsyncGenerator<A, void, undefined> {
    for await (const { content } of this.pages()) yield* content
  }
}

/** A list that can also be read as a CSV file. */
export class ExportableList<P extends Paged<A>, A> extends List<P, A> {
  readonly #readCsv: () => Promise<ReadableStream<Uint8Array>>

  constructor(read: ReadPage<P>, readCsv: () => Promise<ReadableStream<Uint8Array>>) {
    super(read)
    this.#readCsv = readCsv
  }

  /**
   * Reads the whole list as a CSV file (RFC 4180) in UTF-8. The timeout ends with the headers of the response: to end
   * the reading of the file, pass a signal, or cancel the stream.
   */
  csv(): Promise<ReadableStream<Uint8Array>> {
    return this.#readCsv()
  }
}
