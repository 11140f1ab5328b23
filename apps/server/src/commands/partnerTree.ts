import { listPartnersBelow } from "@lastro/domain/operator"
import { type PartnerListItem } from "@lastro/domain/partner"
import { Console, Effect, type Option } from "effect"
import { Argument, Command } from "effect/cli"
import { chosenPartner } from "./listing.ts"
import { withStep } from "./OperatorTerminal.ts"
import { json } from "./records.ts"
import { mapRefusals, refuse } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

/** Maximum number of partners that the command prints. */
const mostPartners = 10_000

const readAll = Effect.fnUntraced(function*(chosen: Option.Option<string>) {
  const partner = yield* chosenPartner(chosen)
  const all: Array<PartnerListItem> = []
  for (let page = 0;; page++) {
    const query = { page: String(page), size: "100", sort: "created_at,asc" }
    const { content, page: { total_elements, total_pages } } = yield* mapRefusals({})(listPartnersBelow(partner, query))
    if (total_elements > mostPartners) {
      return yield* refuse(`The tree has ${total_elements} partners, more than ${mostPartners}. Name a partner in it.`)
    }
    all.push(...content)
    if (page + 1 >= total_pages) return { partner, all }
  }
})

/** Prints the tree of partners below a partner. */
export const tree = Command.make("tree", {
  id: Argument.String("id").pipe(
    Argument.withDescription("Id of the partner at the top. Required if there are several trees"),
    Argument.optional
  ),
  json
}, ({ id, json }) =>
  Effect.gen(function*() {
    const { all, partner } = yield* withStep("Reading the partners")(readAll(id))
    if (json) return yield* Console.log(JSON.stringify(all, null, 2))
    const children = Map.groupBy(all, ({ parent_id }) => parent_id)
    // No recursion, because a tree can be deeper than the call stack.
    const left = all.filter(({ partner_id }) => partner_id === partner).map((item) => ({ depth: 0, item }))
    if (left.length === 0) return yield* refuse("The partner does not exist.")
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { depth, item } = next
      yield* Console.log(
        `${"  ".repeat(depth)}${item.name}  ${item.partner_id}${item.status === "active" ? "" : "  inactive"}`
      )
      const below = (children.get(item.partner_id) ?? []).toReversed()
      left.push(...below.map((child) => ({ depth: depth + 1, item: child })))
    }
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "Print the tree of partners: each partner below its parent, with its id. --json prints the partners as a list, with parent_id."
    ),
    Command.withShortDescription("Print the tree of partners"),
    Command.withExamples([{ command: "lastro partners tree", description: "Print the only tree" }])
  )
