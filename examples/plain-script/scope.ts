import { hierarchyOf, judgeWithin } from "@lastro/domain/hierarchy"

/** Pairs of a partner and its parent. A root has no parent. */
const parents: ReadonlyArray<readonly [id: string, parent: string | null]> = [
  ["north", null],
  ["belem", "north"],
  ["belem-centro", "belem"],
  ["manaus", "north"],
  ["south", null]
]

const made = hierarchyOf(parents)
if (made._tag === "Failure") throw made.failure

/** The tree of partners. */
export const partners = made.success

/** Checks whether a caller that belongs to partner `own` may access partner `other`. */
export const checkAccess = (own: string, other: string): "ok" | "not found" | "forbidden" => {
  const judged = judgeWithin(partners, own, other)
  if (judged._tag === "Success") return "ok"
  switch (judged.failure._tag) {
    case "NotFound":
      return "not found"
    case "OutsideHierarchy":
      return "forbidden"
  }
}
