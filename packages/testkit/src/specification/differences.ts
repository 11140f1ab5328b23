import { Predicate } from "effect"

const shown = (value: unknown): string => value === undefined ? "nothing" : JSON.stringify(value)

/** Whether two JSON values differ, told place by place: `[0].offers[1].expires_at: expected …, actual …`. None when they are equal. */
export const differences = (expected: unknown, actual: unknown, place = ""): ReadonlyArray<string> => {
  if (Object.is(expected, actual)) return []
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    return Array.from({ length }, (_, index) => differences(expected[index], actual[index], `${place}[${index}]`))
      .flat()
  }
  if (Predicate.isObject(expected) && Predicate.isObject(actual)) {
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((name) =>
      differences(Reflect.get(expected, name), Reflect.get(actual, name), place === "" ? name : `${place}.${name}`)
    )
  }
  return [`${place === "" ? "value" : place}: expected ${shown(expected)}, actual ${shown(actual)}`]
}
