/** A broken invariant of the stored data, with the number of records that break it and some examples. */
export interface Finding {
  readonly invariant: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
}

/** Maximum number of examples in a finding. */
export const maxExamples = 5

/**
 * An invariant and a query for the records that break it. For each of them, the query selects a column `example` with
 * ids, never with personal data.
 */
export type Invariant = readonly [invariant: string, query: string]
