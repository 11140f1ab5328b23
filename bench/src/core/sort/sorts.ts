import { parseSort, userSortFields } from "@lastro/domain"
import { answerOf } from "../Answer.ts"
import { type Part, part } from "../Part.ts"
import { sortByHand } from "./sortByHand.ts"

const aliases = { full_name: "name" } as const

/** What clients send: nothing, one field, two, an alias, a field twice, and now and then a mistake. */
const cases: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["name"],
  ["name,asc"],
  ["created_at,desc"],
  ["status,DESC", "name"],
  ["full_name,desc", "created_at"],
  ["name,desc", "full_name", "email"],
  ["phone", "", "cpf,desc"],
  ["nmae"],
  ["name,up"]
]

/** Reading the order that a list is wanted in. */
export const sorts = (): Part => {
  const ours = parseSort(userSortFields, aliases)
  return part("sort", Array.from({ length: 100 }, () => cases).flat(), {
    ours,
    byHand: sortByHand(userSortFields, aliases),
    comparable: (answer: ReturnType<typeof ours>) => answerOf(answer)
  })
}
