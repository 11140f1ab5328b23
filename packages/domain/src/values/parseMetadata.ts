import { Order, Predicate, Result } from "effect"
import { codePointOrder } from "../input/compareBy.ts"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { fieldPath } from "../input/problemsOf.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { invalidType } from "../input/ValueType.ts"
import { maxMetadataKeyLength, maxMetadataKeys, maxMetadataValueLength, type Metadata } from "./Metadata.ts"

/** Returns whether a text has more than `max` code points. A code point has one or two UTF-16 code units. */
const isLongerThan = (text: string, max: number): boolean =>
  text.length > max * 2 || text.length > max && Array.from(text).length > max

/**
 * Metadata has at most 50 keys.
 * @rule META-01
 */
export const judgeKeyCount = (count: number): Result.Result<void, Problem> =>
  count > maxMetadataKeys ? Result.fail(problem("TOO_LONG", { max_keys: maxMetadataKeys })) : Result.void

/**
 * A key of metadata has 1 to 40 code points, without control characters, lone surrogates and square brackets. Brackets
 * are reserved for list filters: `metadata[plan]`. A key is never changed.
 * @rule META-02
 */
export const judgeKey = (key: string): Result.Result<void, Problem> => {
  if (key === "") return Result.fail(problem("TOO_SHORT", { min: 1 }))
  if (isLongerThan(key, maxMetadataKeyLength)) return Result.fail(problem("TOO_LONG", { max: maxMetadataKeyLength }))
  return /[\p{Cc}\p{Cs}[\]]/u.test(key)
    ? Result.fail(invalidFormat("text without control characters and brackets"))
    : Result.void
}

/**
 * A value of metadata is a text of at most 500 code points, without NUL and lone surrogates, which a database cannot
 * store. It is neither trimmed nor normalised. The empty text is a value.
 * @rule META-03
 */
export const judgeValue = (value: unknown): Result.Result<string, Problem> => {
  if (typeof value !== "string") return Result.fail(value === null ? problem("NOT_NULLABLE") : invalidType("text"))
  if (isLongerThan(value, maxMetadataValueLength)) {
    return Result.fail(problem("TOO_LONG", { max: maxMetadataValueLength }))
  }
  // With the u flag, `\p{Cs}` matches lone surrogates only.
  return /[\0\p{Cs}]/u.test(value) ? Result.fail(invalidFormat("Unicode text without NUL")) : Result.succeed(value)
}

const field = "metadata"

const refuse = (...problems: ReadonlyArray<FieldProblem>) => Result.fail(new ValidationFailed({ problems }))

/**
 * Maximum number of keys in a patch, which can remove all stored keys and add as many new ones. A patch with more keys
 * is refused before any key is checked.
 */
const maxChanges = 2 * maxMetadataKeys

/** Parses the keys and values of an untrusted object. Reports all problems. */
const parseEntries = <V>(
  value: unknown,
  judge: (member: unknown) => Result.Result<V, Problem>
): Result.Result<ReadonlyMap<string, V>, ValidationFailed> => {
  if (!Predicate.isReadonlyObject(value)) return refuse(fieldProblem(field, invalidType("object")))
  const entries = Object.entries(value)
  if (entries.length > maxChanges) {
    return refuse(fieldProblem(field, problem("TOO_LONG", { max_keys: maxMetadataKeys })))
  }
  const problems: Array<FieldProblem> = []
  const parsed = new Map<string, V>()
  for (const [key, member] of entries) {
    const judged = Result.andThen(judgeKey(key), judge(member))
    if (Result.isSuccess(judged)) parsed.set(key, judged.success)
    else problems.push(fieldProblem(fieldPath([field, key]), judged.failure))
  }
  return problems.length > 0 ? refuse(...problems) : Result.succeed(parsed)
}

/** Returns the number of bytes of a code point in UTF-8. */
const bytesOf = (point: number): number => {
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x1_0000 ? 3 : 4
}

/** Returns the number of bytes of a text in UTF-8. */
const utf8Length = (text: string): number =>
  Array.from(text).reduce((bytes, character) => bytes + bytesOf(character.codePointAt(0) ?? 0), 0)

/** Orders keys by their length in bytes, then by code points, like jsonb in PostgreSQL. */
const keyOrder = Order.combine(Order.mapInput(Order.Number, utf8Length), codePointOrder)

/**
 * Metadata always has its keys in the same order. The order in which a caller sent them is not kept. Therefore equal
 * metadata has the same text and the same ETag in every store. Values are returned unchanged.
 * @rule META-08
 */
export const orderedMetadata = (entries: Iterable<readonly [string, string]>): Metadata =>
  // `Object.fromEntries` defines own properties, so `__proto__` is a key like any other.
  Object.fromEntries(Array.from(entries).toSorted(([a], [b]) => keyOrder(a, b)))

const toMetadata = (texts: ReadonlyMap<string, string>): Result.Result<Metadata, ValidationFailed> => {
  const counted = judgeKeyCount(texts.size)
  return Result.isFailure(counted)
    ? refuse(fieldProblem(field, counted.failure))
    : Result.succeed(orderedMetadata(texts))
}

/**
 * Parses the field `metadata` of an untrusted body that creates a record. An absent or null field is empty metadata.
 * Reports all problems.
 */
export const parseMetadata = (value: unknown): Result.Result<Metadata, ValidationFailed> =>
  value === undefined || value === null
    ? Result.succeed({})
    : Result.flatMap(parseEntries(value, judgeValue), toMetadata)

/** Judges a value in a patch. `null` removes its key. */
const judgeChange = (value: unknown): Result.Result<string | null, Problem> =>
  value === null ? Result.succeed(null) : judgeValue(value)

/**
 * A patch merges metadata key by key: a `null` removes its key, and absent keys keep their values. `metadata: null`
 * removes all keys. An absent field changes nothing. The limit of 50 keys applies to the merged metadata.
 *
 * Returns `stored` itself if nothing changes.
 * @rule META-04
 */
export const patchMetadata = (stored: Metadata, value: unknown): Result.Result<Metadata, ValidationFailed> => {
  if (value === undefined) return Result.succeed(stored)
  if (value === null) return Result.succeed(Object.keys(stored).length === 0 ? stored : {})
  return Result.flatMap(parseEntries(value, judgeChange), (changes) => {
    const merged = new Map(Object.entries(stored))
    let isChanged = false
    for (const [key, text] of changes) {
      isChanged ||= (merged.get(key) ?? null) !== text
      if (text === null) merged.delete(key)
      else merged.set(key, text)
    }
    return isChanged ? toMetadata(merged) : Result.succeed(stored)
  })
}
