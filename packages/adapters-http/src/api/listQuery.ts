import { defaultPageSize, maxFilterLength, maxPageSize, sortDirections } from "@lastro/domain/input"
import { externalIdBounds } from "@lastro/domain/origination"
import { maxCursorLength, partnerScopes } from "@lastro/domain/ports"
import { Schema } from "effect"
import { recordId } from "./endpointParts.ts"

type SortText<F extends string> = F | `${F},${typeof sortDirections[number]}`

const sortTexts = <F extends string>(fields: ReadonlyArray<F>): ReadonlyArray<SortText<F>> =>
  fields.flatMap((field): ReadonlyArray<SortText<F>> => [
    field,
    ...sortDirections.map((direction): SortText<F> => `${field},${direction}`)
  ])

/** The query parameters of every list. `fields` are the names of the fields to sort by. */
export const listQuery = <const F extends string>(fields: ReadonlyArray<F>) => ({
  page: Schema.optionalKey(Schema.Int.annotate({
    description: "Page number, from 0. A negative number counts as 0. A page past the end is empty. Default: 0."
  })),
  after: Schema.optionalKey(Schema.String.annotate({
    description:
      "Cursor: `start` for the first page, then the `next` of the previous page. Each page takes the same time, however long the list is. Records " +
      "created or deleted meanwhile cause no skips or repeats. A cursor is valid for the same filters and `sort`. Not " +
      "together with `page`.",
    maxLength: maxCursorLength
  })),
  size: Schema.optionalKey(Schema.Int.annotate({
    description: `Items on a page, clamped to 1 to ${maxPageSize}. Default: ${defaultPageSize}.`
  })),
  sort: Schema.optionalKey(
    Schema.Array(Schema.Literals(sortTexts(fields))).annotate({
      description:
        "`field` or `field,direction`. Repeat the parameter to sort by further fields. Default direction: `asc`. " +
        "Default order: newest first. Ties are broken by id, so pages never overlap."
    })
  )
})

/** The query parameter of a list that can be exported. */
export const formatQuery = {
  format: Schema.optionalKey(
    Schema.Literals(["json", "csv"]).annotate({
      description: "`csv` returns the whole list as a CSV file, like `Accept: text/csv`. Default: `json`."
    })
  )
}

/** A query parameter that matches a part of a text. */
export const textFilter = (name: string) =>
  Schema.optionalKey(Schema.String.annotate({
    description: `Part of ${name}. Case and accents are ignored.`,
    maxLength: maxFilterLength
  }))

/** A query parameter that matches a part of a document number. */
export const documentFilter = (name: string) =>
  Schema.optionalKey(Schema.String.annotate({
    description: `Part of ${name}. Dots, dashes, slashes and spaces are ignored.`,
    maxLength: maxFilterLength
  }))

/** A query parameter that matches an id. */
export const idFilter = (description: string) => Schema.optionalKey(recordId(description))

/** A query parameter that matches a text exactly. */
export const exactFilter = (description: string) =>
  Schema.optionalKey(Schema.String.annotate({ description: `${description}; exact match`, maxLength: maxFilterLength }))

/** A query parameter that takes several values. */
export const choicesFilter = <S extends Schema.Codec<string>>(schema: S, description: string) =>
  Schema.optionalKey(
    Schema.Array(schema).annotate({
      description: `${description}. Repeat the parameter, or separate values by commas, to match any of them.`
    })
  )

/** The query parameters that match a partner, or the subtree of a partner. */
export const partnerFilters = (records: string) => ({
  partner_id: idFilter(`${records} of this partner only`),
  partner_scope: Schema.optionalKey(
    Schema.Literals(partnerScopes).annotate({
      description: "`self`: of the partner `partner_id` alone. `subtree`: of this partner and its descendants. " +
        "Default: `self`. Requires `partner_id`."
    })
  )
})

/** A query parameter that matches the creator of a record. */
export const creatorFilter = exactFilter(
  "Creator (`created_by`): the id of a user or API client, or `host:` and the id of a user of the embedding service"
)

/** A query parameter that matches the CPF of a customer. */
export const cpfFilter = Schema.optionalKey(Schema.String.annotate({
  description: "The customer's CPF. Dots, dashes, slashes and spaces are ignored. Requires `kyc:read`."
}))

/** A query parameter that matches the external id, the API consumer's own reference. */
export const externalIdFilter = Schema.optionalKey(Schema.String.annotate({
  description: "The consumer's own reference; exact match",
  maxLength: externalIdBounds.max
}))

/** The query parameters that match metadata. Each key is one parameter: `metadata[plan]=gold`. */
export const metadataFilter = Schema.optionalKey(
  Schema.Record(Schema.String, Schema.String).annotate({
    description: "Your own fields: `metadata[plan]=gold`. Exact match. With several keys, all must match."
  })
)

const timeFormat = "an ISO 8601 instant with offset, or a day (YYYY-MM-DD) in America/Sao_Paulo."

/** A query parameter with the start or the end of a time range. */
export const timeFilter = (description: string) =>
  Schema.optionalKey(Schema.String.annotate({ description: `${description}. Format: ${timeFormat}` }))

const from = "from this time (inclusive)"
const to = "before this instant, or to the end of this day"

/** The query parameters for ranges of the time of creation and the time of the last change. */
export const timeFilters = {
  created_from: timeFilter(`Created: ${from}`),
  created_to: timeFilter(`Created: ${to}`),
  updated_from: timeFilter(
    `Changed: ${from}. To follow changes, read \`/events\`: a change that commits late is older than it seems`
  ),
  updated_to: timeFilter(`Changed: ${to}`)
}

/** A query parameter that excludes applications without a deadline in a time range. */
const deadlineFilter = (condition: string) => timeFilter(`Only applications ${condition}`)

const since = "at or after this time"
const until = "before this instant, or by the end of this day"

/** The query parameters for the time at which offers expire, and the time at which a rejected quote can be retried. */
export const deadlineFilters = {
  expires_from: deadlineFilter(`whose last available offer expires ${since}`),
  expires_to: deadlineFilter(`whose last available offer expires ${until}`),
  retry_from: deadlineFilter(`whose quote was rejected with a \`retry_at\` ${since}`),
  retry_to: deadlineFilter(`whose quote was rejected with a \`retry_at\` ${until}`)
}
