import { Predicate } from "effect"

/** JSON with the keys of every object in code-unit order: equal values give equal texts, however they were built. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!Predicate.isReadonlyObject(value)) return JSON.stringify(value) ?? "null"
  const members = Object.keys(value).filter((key) => value[key] !== undefined).toSorted().map((key) =>
    `${JSON.stringify(key)}:${canonicalJson(value[key])}`
  )
  return `{${members.join(",")}}`
}
