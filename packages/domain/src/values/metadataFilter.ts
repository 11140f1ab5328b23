import { Option, Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { type GroupParser } from "../input/ListQuery.ts"
import { fieldPath } from "../input/problemsOf.ts"
import { allValues } from "../input/RawQuery.ts"
import { type Metadata } from "./Metadata.ts"
import { judgeKey, judgeKeyCount, judgeValue } from "./parseMetadata.ts"

const prefix = "metadata["

const isMetadataParameter = (name: string): boolean => name === "metadata" || name.startsWith(prefix)

/** Returns the name of the query parameter for a key: `metadata[plan]`. */
export const metadataParameter = (key: string): string => `${prefix}${key}]`

/** Returns the key in the name of a parameter. Fails if the name contains no key or more than one. */
const keyOf = (name: string): Result.Result<string, Problem> => {
  const key = name.slice(prefix.length, -1)
  return name.startsWith(prefix) && name.endsWith("]") && !/[[\]]/.test(key)
    ? Result.andThen(judgeKey(key), Result.succeed(key))
    : Result.fail(problem("INVALID_TYPE"))
}

/**
 * The filter of a list by metadata has one parameter for each key: `metadata[plan]=gold`. A parameter without a key
 * (`metadata=gold`), with two keys (`metadata[a][b]`) or with several values is INVALID_TYPE. An empty `metadata` is
 * ignored, but `metadata[plan]=` filters by the empty text.
 * @rule META-05
 */
export const parseMetadataFilter: GroupParser<Metadata>["parse"] = (raw) => {
  const problems: Array<FieldProblem> = []
  const filter = new Map<string, string>()
  for (const name of Object.keys(raw)) {
    if (!isMetadataParameter(name)) continue
    const values = allValues(raw[name])
    const isEmpty = name === "metadata" && values.length === 1 && values[0] === ""
    if (values.length === 0 || isEmpty) continue
    const value = values.length > 1 ? Result.fail(problem("INVALID_TYPE")) : judgeValue(values[0])
    const entry = Result.all([keyOf(name), value])
    if (Result.isSuccess(entry)) filter.set(...entry.success)
    else problems.push(fieldProblem(`query.${fieldPath([name])}`, entry.failure))
  }
  const tooMany = judgeKeyCount(filter.size)
  if (Result.isFailure(tooMany)) problems.push(fieldProblem("query.metadata", tooMany.failure))
  return problems.length > 0
    ? Result.fail(problems)
    : Result.succeed(filter.size === 0 ? Option.none() : Option.some(Object.fromEntries(filter)))
}

/**
 * A record passes a filter by metadata if it has every key of the filter with exactly the same text.
 * @rule META-06
 */
export const matchesMetadata = (metadata: Metadata, filter: Metadata): boolean =>
  Object.keys(filter).every((key) => Object.hasOwn(metadata, key) && metadata[key] === filter[key])

export const metadataFilter: GroupParser<Metadata> = { owns: isMetadataParameter, parse: parseMetadataFilter }
