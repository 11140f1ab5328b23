/** A broken invariant of the stored data: what is wrong, with how many records, and the first few of them. */
export interface Finding {
  readonly invariant: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
}

/** How many examples a finding shows. */
export const shown = 5

/** An invariant in words, and a query that yields the `example`s that break it: ids, and nothing personal. */
export type Invariant = readonly [invariant: string, query: string]
