import { Option, Result } from "effect"
import { filterOf, type FilterParser } from "../input/Filter.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * A UUID has 36 characters with dashes, in any letter case. Its canonical form is in lower case. A UUID in braces or
 * without dashes is refused.
 * @rule ID-01
 */
export const parseUuid: TextParser<string> = (input) => {
  const lower = input.length === 36 ? input.toLowerCase() : input
  return shape.test(lower) ? Result.succeed(lower) : Result.fail(invalidFormat("UUID"))
}

/** The schema of a UUID. The schemas of all record ids are branded versions of it. */
export const Uuid = /* @__PURE__ */ (() =>
  schemaOfParser<string>(parseUuid, {
    description: "UUID",
    format: "uuid"
  }))()

/** Parses an id into its canonical form. Returns none if the id is malformed. */
export const parseId = <Id extends string>(text: string): Option.Option<Id> =>
  Option.map(Result.getSuccess(parseUuid(text)), (id) => id as Id)

/** The nil UUID (RFC 9562 §5.9). No record has it. */
const nil = "00000000-0000-0000-0000-000000000000"

/**
 * Parses an id. Returns the nil UUID, which no record has, if the text is malformed. For checks that run before the
 * record is searched for.
 */
export const idOrUnknown = <Id extends string>(text: string): Id => Option.getOrElse(parseId<Id>(text), () => nil as Id)

/**
 * Returns a number from 0 to below 1, computed from the random last digits of an id. It spreads over time the work that
 * many records would otherwise start at once.
 */
export const fractionOf = (id: string): number => Number.parseInt(id.slice(-8), 16) / 2 ** 32

/**
 * An id filter is a UUID in any letter case. `id` is the schema of the expected kind of id.
 * @rule PAGE-20
 */
export const parseIdFilter = <Id extends string>(id: { readonly make: (uuid: string) => Id }): FilterParser<Id> =>
  filterOf((text) => Result.map(parseUuid(text), (uuid) => id.make(uuid)))
