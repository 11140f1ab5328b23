import { accepted, type Answer, refused } from "../Answer.ts"

/** A step of an order, and a problem with one, as JSON. */
interface Step {
  readonly property: string
  readonly direction: string
}
interface Wrong {
  readonly field: string
  readonly code: string
  readonly params: { readonly allowed: string }
}

const wrong = (allowed: ReadonlyArray<string>): Wrong => ({
  field: "query.sort",
  code: "UNKNOWN_VALUE",
  params: { allowed: allowed.join(", ") }
})

/** Reads the values of the parameter `sort` as one would write it at first: split, look up, collect. */
export const sortByHand = (fields: ReadonlyArray<string>, aliases: Readonly<Record<string, string>>) => {
  return (raw: ReadonlyArray<string>): Answer<ReadonlyArray<Step>, ReadonlyArray<Wrong>> => {
    const steps: Array<Step> = []
    let unknownField = false
    let unknownDirection = false
    for (const text of raw) {
      if (text === "") continue
      const [name = "", ...rest] = text.split(",")
      const property = fields.includes(name) ? name : Object.hasOwn(aliases, name) ? aliases[name] : undefined
      const direction = rest.length === 0 ? "asc" : rest.join(",").toLowerCase()
      if (property === undefined) unknownField = true
      if (direction !== "asc" && direction !== "desc") unknownDirection = true
      else if (property !== undefined && !steps.some((step) => step.property === property)) {
        steps.push({ property, direction })
      }
    }
    if (unknownField || unknownDirection) {
      return refused([...(unknownField ? [wrong(fields)] : []), ...(unknownDirection ? [wrong(["asc", "desc"])] : [])])
    }
    return accepted(steps.length === 0 ? [{ property: "created_at", direction: "desc" }] : steps)
  }
}
