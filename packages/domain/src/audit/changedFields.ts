import { type Schema } from "effect"
import { isSame } from "../validation/isSame.ts"

/**
 * The audit lists the paths of the fields that differ between two records (`name`, `pix.key`), in field order. The list is empty when
 * one of the records is absent. An array counts as one field, and so does an object that only one of the records has.
 * @rule AUDIT-02
 */
export const changedFields = (before: Schema.Json, after: Schema.Json): ReadonlyArray<string> => {
  if (!isRecord(before) || !isRecord(after)) return []
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return Array.from(names).flatMap((name) => {
    const [one, other] = [own(before, name), own(after, name)]
    if (isSame(one, other)) return []
    const within = one === undefined || other === undefined ? [] : changedFields(one, other)
    return within.length === 0 ? [name] : within.map((path) => `${name}.${path}`)
  })
}

const isRecord = (value: Schema.Json): value is Schema.JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const own = (record: Schema.JsonObject, name: string): Schema.Json | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined
