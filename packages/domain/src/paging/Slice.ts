/** What a repository answers to a list query: the asked page's items, and how many there are on all pages. */
export interface Slice<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}
