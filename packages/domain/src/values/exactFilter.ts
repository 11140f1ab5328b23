import { Result } from "effect"
import { boundedText, filterOf, type FilterParser } from "../input/Filter.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { parseUuid } from "./Uuid.ts"

// Matches control characters (Cc) and lone surrogates (Cs with the u flag).
const unsearchable = /[\p{Cc}\p{Cs}]/u

/**
 * Filters for ids and codes match the exact text, and have at most 200 code points. Examples: the actor of an audit
 * entry, the creator of a record, the lender of a contract. A UUID can be in upper or lower case.
 * @rule PAGE-30
 */
export const parseExactFilter: FilterParser<string> = filterOf((text) =>
  Result.flatMap(boundedText(text), (bounded) =>
    unsearchable.test(bounded)
      ? Result.fail(invalidFormat("visible text"))
      : Result.succeed(Result.getOrElse(parseUuid(bounded), () => bounded)))
)
