import { defaultPageSize, maxFilterLength, maxPageSize, sortDirections } from "@lastro/domain"
import { Schema } from "effect"
import { recordId } from "./pathParams.ts"

type SortText<F extends string> = F | `${F},${typeof sortDirections[number]}`

const sortTexts = <F extends string>(fields: ReadonlyArray<F>): ReadonlyArray<SortText<F>> =>
  fields.flatMap((field): ReadonlyArray<SortText<F>> => [
    field,
    ...sortDirections.map((direction): SortText<F> => `${field},${direction}`)
  ])

/** The query parameters that every list has. `fields` are what it can be sorted by, aliases included. */
export const listQuery = <const F extends string>(fields: ReadonlyArray<F>) => ({
  page: Schema.optionalKey(Schema.Int.annotate({
    description: "Page, from 0. A negative number counts as 0; a page past the end is empty.",
    default: 0
  })),
  size: Schema.optionalKey(Schema.Int.annotate({
    description: `Items on a page: 1 to ${maxPageSize}. What is smaller counts as 1, what is larger as ${maxPageSize}.`,
    default: defaultPageSize
  })),
  sort: Schema.optionalKey(
    Schema.Array(Schema.Literals(sortTexts(fields))).annotate({
      description:
        "`field` or `field,direction`, repeatable, applied in the order given; the direction is `asc` where " +
        "it is left out. Without a sort the newest come first. Equal items keep a fixed order, so that pages never " +
        "overlap."
    })
  )
})

/** The query parameter that matches a part of a text, ignoring letter case and accents. */
export const textFilter = (what: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({
    description: `A part of ${what}; letter case and accents do not matter.`,
    maxLength: maxFilterLength,
    examples: [example]
  }))

/** The query parameter that matches a part of a document number. */
export const documentFilter = (what: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({
    description: `A part of ${what}; dots, dashes, slashes and spaces are dropped.`,
    maxLength: maxFilterLength,
    examples: [example]
  }))

/** The query parameter that matches an id. */
export const idFilter = (description: string) =>
  Schema.optionalKey(recordId(description, "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"))
