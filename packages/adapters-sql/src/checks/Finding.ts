/** A broken invariant of the stored data, with the number of records that break it and some examples. */
export interface Finding {
  readonly invariant: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
}

/** Maximum number of examples in a finding. */
export const maxExamples = 5

/**
 * An invariant, and a query that returns one row for each record that breaks the invariant. The column `example` of a
 * row contains ids, never personal data.
 */
export type Invariant = readonly [invariant: string, query: string]
