import { Predicate } from "effect"

/** Serialises a value as JSON with object keys in code-unit order. Equal values have equal texts. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!Predicate.isReadonlyObject(value)) return JSON.stringify(value) ?? "null"
  const members = Object.keys(value).filter((key) => value[key] !== undefined).toSorted().map((key) =>
    `${JSON.stringify(key)}:${canonicalJson(value[key])}`
  )
  return `{${members.join(",")}}`
}
