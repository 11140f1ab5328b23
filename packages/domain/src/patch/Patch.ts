import { Predicate, Result, type Schema } from "effect"
import { decodePart } from "../validation/decode.ts"
import { at, type FieldProblem, problem, ValidationFailed } from "../validation/FieldProblem.ts"
import { isSame } from "../validation/isSame.ts"
import { fieldPath } from "../validation/problemsOf.ts"

/** What a patch made of a record. `changed` is false when every field kept its value: there is nothing to save then. */
export interface Patched<A> {
  readonly next: A
  readonly changed: boolean
}

/** How records of one kind are patched. */
export interface Patch<A> {
  /** Applies an untrusted merge patch; a refused patch changes nothing and reports every problem at once. */
  readonly apply: (stored: A, body: unknown) => Result.Result<Patched<A>, ValidationFailed>
}

type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

/**
 * Merge-patch semantics (RFC 7396, but `null` is a value) for any record, read off its schema: an absent field keeps
 * its value, `null` clears a field whose schema allows `null` and is refused elsewhere, a nested object merges field by
 * field, a merged clearable group is validated whole, and an `immutable` field may only be sent with the value it has.
 * @rule PATCH-01
 */
export const makePatch = <F extends Fields>(
  fields: F,
  options: { readonly immutable: ReadonlyArray<string> }
): Patch<Schema.Struct.Type<F>> => {
  const patch = patchFields(fields, new Set(options.immutable), [])
  return {
    apply: (stored, body) => {
      const { next, problems } = patch(stored, body)
      return problems.length > 0
        ? Result.fail(new ValidationFailed({ problems }))
        : Result.succeed({ next: next as typeof stored, changed: next !== stored })
    }
  }
}

/** What a patch makes of a stored value: the stored value itself where it stays the same. */
interface Outcome {
  readonly next: unknown
  readonly problems: ReadonlyArray<FieldProblem>
}

type Patching = (stored: unknown, value: unknown) => Outcome

/** Everything that does not depend on the record or the patch is done once, for each field. */
const patchFields = (fields: Fields, immutable: ReadonlySet<string>, path: ReadonlyArray<string>): Patching => {
  const patches = new Map(
    Object.entries(fields).map(([key, schema]) => {
      const here = [...path, key]
      return [key, isStruct(schema) ? patchFields(schema.fields, immutable, here) : patchValue(schema, immutable, here)]
    })
  )
  return (stored, body) => {
    if (!isRecord(body)) {
      return refused(stored, at(fieldPath(path), problem(body === null ? "NOT_NULLABLE" : "INVALID_TYPE")))
    }
    const changes: Record<string, unknown> = {}
    const problems: Array<FieldProblem> = []
    for (const [key, value] of Object.entries(body)) {
      const patch = patches.get(key)
      if (patch === undefined) {
        problems.push(at(fieldPath([...path, key]), problem("UNKNOWN_FIELD")))
        continue
      }
      const before = Reflect.get(stored as object, key)
      const outcome = patch(before, value)
      problems.push(...outcome.problems)
      if (outcome.next !== before) changes[key] = outcome.next
    }
    return { next: Object.keys(changes).length === 0 ? stored : { ...stored as object, ...changes }, problems }
  }
}

const patchValue = (
  schema: Fields[string],
  immutable: ReadonlySet<string>,
  path: ReadonlyArray<string>
): Patching => {
  const field = fieldPath(path)
  const isImmutable = immutable.has(field)
  const read = decodePart(schema)
  return (stored, value) => {
    const decoded = read(merge(stored, value), path)
    const problems = Result.isFailure(decoded) ? decoded.failure : []
    // An empty group asks for nothing, even where none is stored; where the field is no group, it is a wrong type.
    if (isEmptyRecord(value)) return { next: stored, problems: problems.filter((found) => found.field === field) }
    if (isImmutable) return keep(stored, decoded, field)
    if (Result.isFailure(decoded)) return { next: stored, problems }
    const rewritten = rewrittenFields(stored, value, decoded.success)
    return rewritten.length > 0
      ? { next: stored, problems: rewritten.map((key) => at(fieldPath([...path, key]), problem("INVALID_FORMAT"))) }
      : { next: isSame(stored, decoded.success) ? stored : decoded.success, problems: [] }
  }
}

/**
 * The stored fields that a patch does not name and that reading the merged group would change all the same: the digits of
 * a PIX key of type CPF read as a telephone number once only its type is patched, and would pay somebody else.
 */
const rewrittenFields = (stored: unknown, value: unknown, merged: unknown): ReadonlyArray<string> =>
  isRecord(stored) && isRecord(value) && isRecord(merged)
    ? Object.keys(stored).filter((key) => !Object.hasOwn(value, key) && !isSame(merged[key], stored[key]))
    : []

/** Any text that is not the stored value is another one, well-formed or not; what is no text at all keeps its own problem. */
const keep = (
  stored: unknown,
  decoded: Result.Result<unknown, ReadonlyArray<FieldProblem>>,
  field: string
): Outcome => {
  if (Result.isSuccess(decoded)) {
    return isSame(decoded.success, stored)
      ? { next: stored, problems: [] }
      : refused(stored, at(field, problem("IMMUTABLE")))
  }
  const mistyped = decoded.failure.filter(({ code }) => code === "NOT_NULLABLE" || code === "INVALID_TYPE")
  return mistyped.length > 0
    ? { next: stored, problems: mistyped }
    : refused(stored, at(field, problem("IMMUTABLE")))
}

/**
 * Goes as deep as the stored value, never as deep as the patch, which may be nested deeper than the stack.
 * `Object.fromEntries` defines own properties, so that a key named `__proto__` stays an ordinary, unknown field.
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

const refused = (next: unknown, found: FieldProblem): Outcome => ({ next, problems: [found] })

const isRecord: (value: unknown) => value is Readonly<Record<string, unknown>> = Predicate.isReadonlyObject

const isEmptyRecord = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0

const isStruct = (schema: Schema.Top): schema is Schema.Struct<Fields> => "fields" in schema
