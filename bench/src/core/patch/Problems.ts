/** What is wrong with a field, as JSON. */
interface Problem {
  readonly field: string
  readonly code: string
  readonly params?: Readonly<Record<string, string | number>>
}

/** Where problems of one body are gathered. */
export type Problems = Array<Problem>
