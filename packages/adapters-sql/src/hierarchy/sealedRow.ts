import { type Found, found } from "@lastro/domain"
import { Array as Arr, Option } from "effect"

/** Seals the record of the one row a find has read, or of none. */
export const sealedRow = <Row extends { readonly inside: boolean }, A>(
  rows: ReadonlyArray<Row>,
  record: (row: Row) => A
): Option.Option<Found<A>> => Option.map(Arr.head(rows), (row) => found(record(row), row.inside))
