/** The result of a list query of a repository: the items of one page, and the total of all pages. */
export interface Slice<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}
