/** The text of a statement and the values of its parameters. */
export interface StatementText {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** A row of two joined statements. */
export interface JoinedRow {
  /** The row of the first statement, as JSON. Null if the first statement returned no row. */
  readonly "~first": object | null
  /** Null if the second statement returned no row. */
  readonly "~second": true | null
}

/** Adds `by` to the number of each parameter in a text. In the text, every `$` must be that of a parameter. */
const shiftParameters = (text: string, by: number): string =>
  text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + by}`)

const joinTexts = (first: StatementText, second: string): string =>
  `select second.*, first.value as "~first"
  from (select (select row_to_json(row) from (${first.text}) row) as value) first
  left join (select true as "~second", row.* from (${
    shiftParameters(second, first.parameters.length)
  }) row) second on true`

/** Maximum number of joined texts in memory with the same first statement. When it is reached, they are discarded. */
const maxTexts = 500

/** The joined text of each pair of texts, so that a repeated pair gets the same string object. */
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
 * Joins a statement that returns at most one row with any other statement, so that PostgreSQL runs both at once. Each
 * row has the columns of the second statement, in its order, and those of {@link JoinedRow}. `isKept`: whether to keep
 * the joined text for later calls.
 */
export const joinStatements = (first: StatementText, second: StatementText, isKept: boolean): StatementText => ({
  text: isKept ? joinedText(first, second.text) : joinTexts(first, second.text),
  parameters: [...first.parameters, ...second.parameters]
})
