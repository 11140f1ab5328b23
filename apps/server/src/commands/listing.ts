import { readRoots } from "@lastro/adapters-sql"
import { type ValidationFailed } from "@lastro/domain/input"
import { type PartnerId } from "@lastro/domain/values"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { json, type ListForm, printList } from "./records.ts"
import { mapRefusals, readPartnerId, refuse } from "./refused.ts"
import { type CommandPorts, withPorts } from "./withPorts.ts"

const partner = Flag.String("partner").pipe(
  Flag.withDescription("Id of a partner: only its subtree. Required if there are several trees"),
  Flag.optional
)

const flags = {
  partner,
  page: Flag.Int("page").pipe(Flag.withDescription("Page number, from 0. Default: 0"), Flag.withDefault(0)),
  size: Flag.Int("size").pipe(Flag.withDescription("Records on a page. Default: 20"), Flag.withDefault(20)),
  filter: Flag.String("filter").pipe(
    Flag.withDescription("A filter or the order of the API, such as status=active or sort=name,asc. Repeatable"),
    Flag.atLeast(0)
  ),
  json
}

/** Returns the partner of a flag. Without the flag, returns the root of the only tree. Fails if there is not exactly one tree. */
export const chosenPartner = Effect.fnUntraced(function*(chosen: Option.Option<string>) {
  if (Option.isSome(chosen)) return yield* readPartnerId(chosen.value)
  const [first, ...others] = yield* readRoots
  if (first === undefined) return yield* refuse("There are no partners. Create a root: lastro partners create-root.")
  if (others.length === 0) return first
  return yield* refuse(
    `There are several trees. Set --partner to a partner or a root: ${[first, ...others].join(", ")}.`
  )
})

interface ListedPage<A> {
  readonly content: ReadonlyArray<A>
  readonly page: { readonly number: number; readonly total_elements: number; readonly total_pages: number }
}

/** The query parameters of the API by name. The first `=` separates a name from its value. */
type Query = Readonly<Record<string, ReadonlyArray<string>>>

const queryOf = (filter: ReadonlyArray<string>, page: number, size: number): Query => {
  const query: Record<string, Array<string>> = { page: [String(page)], size: [String(size)] }
  for (const text of filter) {
    const [name = "", ...value] = text.split("=")
    query[name] = [...query[name] ?? [], value.join("=")]
  }
  return query
}

/** Makes the command that lists the records in the subtree of a partner, with the pages and filters of the API. */
export const listCommand = <A extends object>(
  records: string,
  read: (
    partner: PartnerId,
    query: Query
  ) => Effect.Effect<ListedPage<A>, ValidationFailed | { readonly _tag: string }, CommandPorts>,
  columns: ListForm<A>["columns"]
) =>
  Command.make("list", flags, ({ filter, json, page, partner, size }) =>
    Effect.gen(function*() {
      const listed = yield* mapRefusals({})(read(yield* chosenPartner(partner), queryOf(filter, page, size)))
      if (json) return yield* Console.log(JSON.stringify(listed, null, 2))
      yield* printList(false, listed.content, { empty: `No ${records} match.`, columns })
      const { number, total_elements, total_pages } = listed.page
      if (total_pages > 1) {
        yield* Console.error(
          `Page ${number} of 0 to ${total_pages - 1}. ${total_elements} ${records} match.${
            number + 1 < total_pages ? ` Next page: --page ${number + 1}.` : ""
          }`
        )
      }
    }).pipe(withPorts)).pipe(
      Command.withDescription(
        `List ${records}, one per line, as tab-separated columns with a header. --page, --size and --filter work as in the API. ` +
          "--json prints the page as the API returns it."
      ),
      Command.withShortDescription(`List ${records}`),
      Command.withExamples([{
        command: "lastro partners list --filter sort=name,asc --size 100".replace("partners", records),
        description: `List the first 100 ${records} of the only tree`
      }])
    )
