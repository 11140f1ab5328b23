import { PgTypes } from "@effect/sql-pg"

/** A parameter in the text format, with the type that Lastro's own client would send. */
interface CastParameter {
  readonly text: string | null
  /** The name of the type. Undefined if PostgreSQL infers it from the statement. */
  readonly type: string | undefined
}

const typeNames = new Map(Object.entries(PgTypes.OID).map(([name, oid]) => [oid, name]))

const isInt32 = (value: number): boolean => (value | 0) === value

const numberType = (value: number): string => {
  if (isInt32(value)) return "int4"
  return Number.isSafeInteger(value) ? "int8" : "float8"
}

const castScalar = (value: unknown): CastParameter => {
  if (value === null || value === undefined) return { text: null, type: undefined }
  if (typeof value === "string") return { text: value, type: undefined }
  if (typeof value === "boolean") return { text: String(value), type: "bool" }
  if (typeof value === "bigint") return { text: String(value), type: "int8" }
  if (typeof value === "number") return { text: String(value), type: numberType(value) }
  if (value instanceof Date) return { text: value.toISOString(), type: "timestamptz" }
  if (value instanceof Uint8Array) return { text: `\\x${Buffer.from(value).toString("hex")}`, type: "bytea" }
  if (PgTypes.isParameter(value) && (value.oid === PgTypes.OID.json || value.oid === PgTypes.OID.jsonb)) {
    return { text: JSON.stringify(value.value), type: typeNames.get(value.oid) }
  }
  throw new TypeError("A statement of Lastro has a parameter of a type that cannot be sent")
}

const quote = (text: string | null): string => text === null ? "NULL" : `"${text.replace(/["\\]/g, "\\$&")}"`

const castArray = (values: ReadonlyArray<unknown>): CastParameter => {
  const elements = values.map(castScalar)
  const first = elements.find(({ text }) => text !== null)
  return {
    text: `{${elements.map(({ text }) => quote(text)).join(",")}}`,
    type: first === undefined ? undefined : `${first.type ?? "text"}[]`
  }
}

const cast = (value: unknown): CastParameter => Array.isArray(value) ? castArray(value) : castScalar(value)

/**
 * Adds a cast to each parameter in the text of a statement, because `pg` sends parameters without types. Converts the
 * values to texts. The text must not contain `$` except in parameters.
 */
export const castParameters = (text: string, parameters: ReadonlyArray<unknown>) => {
  const casts = parameters.map(cast)
  return {
    text: text.replace(/\$(\d+)/g, (parameter, number: string) => {
      const type = casts[Number(number) - 1]?.type
      return type === undefined ? parameter : `${parameter}::${type}`
    }),
    parameters: casts.map(({ text }) => text)
  }
}
