import { hierarchyOf, judgeWithin } from "@lastro/domain"

/** Pairs of a partner and its parent, as a file or a query of yours gives them; a root has none. */
const parents: ReadonlyArray<readonly [id: string, parent: string | null]> = [
  ["north", null],
  ["belem", "north"],
  ["belem-centro", "belem"],
  ["manaus", "north"],
  ["south", null]
]

const made = hierarchyOf(parents)
if (made._tag === "Failure") throw made.failure

/** The partners, and who is above whom. */
export const partners = made.success

/** What somebody of partner `own` is told who asks for partner `other`. */
export const ask = (own: string, other: string): "ok" | "not found" | "forbidden" => {
  const judged = judgeWithin(partners, own, other)
  if (judged._tag === "Success") return "ok"
  switch (judged.failure._tag) {
    case "NotFound":
      return "not found"
    case "OutsideHierarchy":
      return "forbidden"
  }
}
