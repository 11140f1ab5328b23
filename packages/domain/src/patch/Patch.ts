import { Equal, Predicate, Result, Schema } from "effect"
import { decode } from "../validation/decode.ts"
import { at, type FieldProblem, problem, ValidationFailed } from "../validation/FieldProblem.ts"
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
  const immutable = new Set(options.immutable)
  return {
    apply: (stored, body) => {
      const { next, problems } = patchFields(fields, immutable, stored, body, [])
      return problems.length > 0
        ? Result.fail(new ValidationFailed({ problems }))
        : Result.succeed({ next: next as typeof stored, changed: !Equal.equals(stored, next) })
    }
  }
}

interface Outcome {
  readonly next: unknown
  readonly problems: ReadonlyArray<FieldProblem>
}

const patchFields = (
  fields: Fields,
  immutable: ReadonlySet<string>,
  stored: object,
  body: unknown,
  path: ReadonlyArray<string>
): Outcome => {
  if (!isRecord(body)) {
    return refused(stored, at(fieldPath(path), problem(body === null ? "NOT_NULLABLE" : "INVALID_TYPE")))
  }
  const outcomes = Object.entries(body).map(([key, value]) =>
    [
      key,
      Object.hasOwn(fields, key)
        ? patchField(fields[key]!, immutable, Reflect.get(stored, key), value, [...path, key])
        : refused(undefined, at(fieldPath([...path, key]), problem("UNKNOWN_FIELD")))
    ] as const
  )
  return {
    next: { ...stored, ...Object.fromEntries(outcomes.map(([key, { next }]) => [key, next])) },
    problems: outcomes.flatMap(([, { problems }]) => problems)
  }
}

const patchField = (
  schema: Fields[string],
  immutable: ReadonlySet<string>,
  stored: unknown,
  value: unknown,
  path: ReadonlyArray<string>
): Outcome => {
  if (isStruct(schema)) return patchFields(schema.fields, immutable, stored as object, value, path)
  if (isRecord(value) && Object.keys(value).length === 0) return { next: stored, problems: [] }
  const decoded = decode(schema)(merge(stored, value), path)
  if (Result.isFailure(decoded)) return { next: stored, problems: decoded.failure.problems }
  return immutable.has(fieldPath(path)) && !Equal.equals(decoded.success, stored)
    ? refused(stored, at(fieldPath(path), problem("IMMUTABLE")))
    : { next: decoded.success, problems: [] }
}

/** `Object.fromEntries` defines own properties, so that a key named `__proto__` stays an ordinary, unknown field. */
const merge = (target: unknown, patch: unknown): unknown => {
  if (!isRecord(patch)) return patch
  const base = isRecord(target) ? target : {}
  return Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(patch).map(([key, value]) =>
      [key, merge(Object.hasOwn(base, key) ? base[key] : undefined, value)] as const
    )
  ])
}

const refused = (next: unknown, found: FieldProblem): Outcome => ({ next, problems: [found] })

const isRecord: (value: unknown) => value is Readonly<Record<string, unknown>> = Predicate.isReadonlyObject

const isStruct = (schema: Schema.Top): schema is Schema.Struct<Fields> => "fields" in schema
