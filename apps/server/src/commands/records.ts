import { Console, Effect } from "effect"
import { Flag } from "effect/cli"

/** Prints the result as one JSON value instead of text. Every command that ends by itself has this flag. */
export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

/** Prints one record: its fields as JSON, or a text. */
export const printRecord = (asJson: boolean, record: object | null, text: string): Effect.Effect<void> =>
  Console.log(asJson ? JSON.stringify(record, null, 2) : text)

/** The printed form of a list: the text for an empty list, and the header and text of each column. */
export interface ListForm<A> {
  readonly empty: string
  readonly columns: Readonly<Record<string, (record: A) => string | number | null>>
}

/**
 * Prints a list: an array as JSON, or a header and one line per record with tab-separated columns. An absent value is a
 * hyphen. An empty list is a sentence, or an empty JSON array.
 */
export const printList = Effect.fnUntraced(function*<A extends object>(
  asJson: boolean,
  records: ReadonlyArray<A>,
  { columns, empty }: ListForm<A>
) {
  if (asJson) return yield* Console.log(JSON.stringify(records, null, 2))
  if (records.length === 0) return yield* Console.log(empty)
  yield* Console.log(Object.keys(columns).join("\t"))
  for (const record of records) {
    yield* Console.log(Object.values(columns).map((column) => column(record) ?? "-").join("\t"))
  }
})
