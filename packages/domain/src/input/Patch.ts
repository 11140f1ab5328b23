import { Predicate, Result, Schema, Struct } from "effect"
import { decode } from "./decode.ts"
import { type FieldProblem, fieldProblem, problem } from "./FieldProblem.ts"
import { isSame } from "./json.ts"
import { fieldPath } from "./problemsOf.ts"
import { invalidFormat } from "./TextFormat.ts"
import { maxListedProblems, ValidationFailed } from "./ValidationFailed.ts"
import { invalidType } from "./ValueType.ts"

/** Makes all fields of a record optional, for a patch request. */
export const optionalFields = <F extends Schema.Struct.Fields>(fields: F) => Struct.map(fields, Schema.optionalKey)

/** The result of a patch. `changed` is false if every field kept its value. */
export interface PatchResult<A> {
  readonly next: A
  readonly changed: boolean
}

/** Patches records of one kind. */
export interface Patch<A> {
  /** Applies an untrusted merge patch, or refuses it and reports all its problems together. */
  readonly apply: (stored: A, body: unknown) => Result.Result<PatchResult<A>, ValidationFailed>
}

type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

/**
 * A merge patch follows RFC 7396 and the schema of its record, but `null` sets a field to null instead of removing it.
 *
 * - An absent field keeps its value.
 * - `null` is accepted only for a nullable field.
 * - A nested object is merged field by field. If its field is nullable, the merged object must be complete and valid,
 *   because the stored object can be null.
 * - An immutable field is accepted only with its stored value.
 * @rule PATCH-01
 */
export const makePatch = <F extends Fields>(
  fields: F,
  options: { readonly immutable: ReadonlyArray<string> }
): Patch<Schema.Struct.Type<F>> => {
  const patch = patchFields(fields, new Set(options.immutable), [])
  return {
    apply: (stored, body) => {
      const { next, problems, unlisted } = patch(stored, body)
      return problems.length > 0
        ? Result.fail(new ValidationFailed({ problems, unlisted }))
        : Result.succeed({ next: next as typeof stored, changed: next !== stored })
    }
  }
}

/** The result of a patch of one value. `next` is the stored value itself if nothing changed. */
interface Outcome {
  readonly next: unknown
  readonly problems: ReadonlyArray<FieldProblem>
  /** Number of further problems that are not listed. */
  readonly unlisted: number
}

type Patching = (stored: unknown, value: unknown) => Outcome

/** Returns the patch function of an object. The functions of its fields are made once, not for each record. */
const patchFields = (fields: Fields, immutable: ReadonlySet<string>, path: ReadonlyArray<string>): Patching => {
  const patches = new Map(
    Object.entries(fields).map(([key, schema]) => {
      const here = [...path, key]
      return [key, isStruct(schema) ? patchFields(schema.fields, immutable, here) : patchValue(schema, immutable, here)]
    })
  )
  return (stored, body) => {
    if (!isRecord(body)) {
      const reason = body === null ? problem("NOT_NULLABLE") : invalidType("object")
      return outcomeOf(stored, fieldProblem(fieldPath(path), reason))
    }
    const changes: Record<string, unknown> = {}
    const problems: Array<FieldProblem> = []
    let unknown = 0
    let unlisted = 0
    for (const [key, value] of Object.entries(body)) {
      const patch = patches.get(key)
      if (patch === undefined) {
        if (++unknown > maxListedProblems) unlisted++
        else problems.push(fieldProblem(fieldPath([...path, key]), problem("UNKNOWN_FIELD")))
        continue
      }
      const before = Reflect.get(stored as object, key)
      const outcome = patch(before, value)
      problems.push(...outcome.problems)
      unlisted += outcome.unlisted
      if (outcome.next !== before) changes[key] = outcome.next
    }
    return {
      next: Object.keys(changes).length === 0 ? stored : { ...stored as object, ...changes },
      problems,
      unlisted
    }
  }
}

const patchValue = (
  schema: Fields[string],
  immutable: ReadonlySet<string>,
  path: ReadonlyArray<string>
): Patching => {
  const field = fieldPath(path)
  const isImmutable = immutable.has(field)
  const read = decode(schema)
  return (stored, value) => {
    const decoded = read(merge(stored, value), path)
    // An empty object changes nothing, even if the stored object is null. A value that is not an object is a type
    // error.
    if (isEmptyRecord(value)) {
      const problems = Result.isFailure(decoded) ? decoded.failure.problems : []
      return outcomeOf(stored, ...problems.filter((found) => found.field === field))
    }
    if (isImmutable) return judgeImmutable(stored, decoded, field)
    if (Result.isFailure(decoded)) {
      const { problems, unlisted } = decoded.failure
      return { next: stored, problems, unlisted }
    }
    const rewritten = rewrittenFields(stored, value, decoded.success)
    const misfit = invalidFormat("text in the format of the new type")
    return rewritten.length > 0
      ? outcomeOf(stored, ...rewritten.map((key) => fieldProblem(fieldPath([...path, key]), misfit)))
      : outcomeOf(isSame(stored, decoded.success) ? stored : decoded.success)
  }
}

/**
 * Finds stored fields that the patch does not contain, but whose values would change when the merged object is decoded.
 * Example: a patch changes only the type of a PIX key, from CPF to PHONE. The stored digits would become a phone
 * number, and the payment would go to another person.
 */
const rewrittenFields = (stored: unknown, value: unknown, merged: unknown): ReadonlyArray<string> =>
  isRecord(stored) && isRecord(value) && isRecord(merged)
    ? Object.keys(stored).filter((key) => !Object.hasOwn(value, key) && !isSame(merged[key], stored[key]))
    : []

/**
 * Checks an immutable field. A value that differs from the stored one is IMMUTABLE, even if it is malformed. A value of
 * the wrong type is reported as NOT_NULLABLE or INVALID_TYPE.
 */
const judgeImmutable = (
  stored: unknown,
  decoded: Result.Result<unknown, ValidationFailed>,
  field: string
): Outcome => {
  const refused = outcomeOf(stored, fieldProblem(field, problem("IMMUTABLE")))
  if (Result.isSuccess(decoded)) return isSame(decoded.success, stored) ? outcomeOf(stored) : refused
  const mistyped = decoded.failure.problems.filter(({ code }) => code === "NOT_NULLABLE" || code === "INVALID_TYPE")
  return mistyped.length > 0 ? outcomeOf(stored, ...mistyped) : refused
}

/**
 * Merges a patch into a stored value. It recurses only as deep as the stored value, because a patch can be nested
 * deeper than the call stack. `Object.fromEntries` defines own properties, so a key named `__proto__` is an ordinary,
 * unknown field.
 */
const merge = (target: unknown, patch: unknown): unknown =>
  isRecord(target) && isRecord(patch)
    ? Object.fromEntries([
      ...Object.entries(target),
      ...Object.entries(patch).map(([key, value]) =>
        [key, merge(Object.hasOwn(target, key) ? target[key] : undefined, value)] as const
      )
    ])
    : patch

const outcomeOf = (next: unknown, ...problems: ReadonlyArray<FieldProblem>): Outcome => ({
  next,
  problems,
  unlisted: 0
})

const isRecord: (value: unknown) => value is Readonly<Record<string, unknown>> = Predicate.isReadonlyObject

const isEmptyRecord = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0

const isStruct = (schema: Schema.Top): schema is Schema.Struct<Fields> => "fields" in schema
