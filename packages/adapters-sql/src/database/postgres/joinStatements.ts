/** A text and its parameters. */
export interface StatementText {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** A row of two joined statements. */
export interface JoinedRow {
  /** The row of the first statement, as JSON. Null if it has none. */
  readonly "~first": object | null
  /** Null if the second statement has no row. */
  readonly "~second": true | null
}

/** Adds to the number of each parameter. The texts contain `$` only in parameters. */
const shiftParameters = (text: string, by: number): string =>
  text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + by}`)

const joinTexts = (first: StatementText, second: string): string =>
  `select second.*, first.value as "~first"
  from (select (select row_to_json(row) from (${first.text}) row) as value) first
  left join (select true as "~second", row.* from (${
    shiftParameters(second, first.parameters.length)
  }) row) second on true`

/** Maximum number of joined texts that are kept. */
const maxTexts = 500

/** The joined text of each pair of texts, so that the same string object is used each time. */
const texts = new Map<string, Map<string, string>>()

const joinedText = (first: StatementText, second: string): string => {
  let known = texts.get(first.text)
  if (known === undefined || known.size >= maxTexts) {
    known = new Map()
    texts.set(first.text, known)
  }
  let text = known.get(second)
  if (text === undefined) {
    text = joinTexts(first, second)
    known.set(second, text)
  }
  return text
}

/**
 * Joins a statement that returns at most one row with any other statement, so that PostgreSQL runs both at once. Each row has the
 * columns of the second statement, in its order, and those of {@link JoinedRow}. `isKept`: whether to keep the joined text for later calls.
 */
export const joinStatements = (first: StatementText, second: StatementText, isKept: boolean): StatementText => ({
  text: isKept ? joinedText(first, second.text) : joinTexts(first, second.text),
  parameters: [...first.parameters, ...second.parameters]
})
