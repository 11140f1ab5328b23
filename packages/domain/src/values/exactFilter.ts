import { Result } from "effect"
import { boundedText, filterOf, type FilterParser } from "../input/Filter.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { parseUuid } from "./Uuid.ts"

// Cc matches control characters. With the u flag, Cs matches lone surrogates only.
const unsearchable = /[\p{Cc}\p{Cs}]/u

/**
 * The filters for ids and codes, such as the actor of an audit entry, the creator of a record and the lender of a
 * contract, match the exact text, and have at most 200 code points. A UUID is read in any letter case.
 * @rule PAGE-30
 */
export const parseExactFilter: FilterParser<string> = filterOf((text) =>
  Result.flatMap(boundedText(text), (bounded) =>
    unsearchable.test(bounded)
      ? Result.fail(invalidFormat("visible text"))
      : Result.succeed(Result.getOrElse(parseUuid(bounded), () => bounded)))
)
