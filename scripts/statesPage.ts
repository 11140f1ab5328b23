import { isDeepStrictEqual } from "node:util"
import { type Application } from "../packages/domain/src/loan/Application.ts"
import { applicationStatus } from "../packages/domain/src/loan/ApplicationStatus.ts"
import { decide } from "../packages/domain/src/loan/decide.ts"
import { evolve } from "../packages/domain/src/loan/evolve.ts"
import { offerStatus, quoteStatus } from "../packages/domain/src/loan/OfferStatus.ts"
import { type Timestamp } from "../packages/domain/src/values/Timestamp.ts"
import { newApplication, noon } from "../packages/domain/test/loan/examples.ts"
import { type CommandName, commands, type State, states } from "../packages/domain/test/loan/states.ts"
import { answersOf, none, stateTable } from "../packages/domain/test/loan/stateTable.ts"

/** Returns the statuses of all records of one kind in an application, by id. */
type Statuses = (application: Application, at: Timestamp) => ReadonlyMap<string, string>

const subjects: Readonly<Record<"application" | "quote" | "offer" | "proposal", Statuses>> = {
  application: (application, at) => new Map([[application.application_id, applicationStatus(application, at)]]),
  quote: (application) => new Map(application.quotes.map((quote) => [quote.quote_id, quoteStatus(application, quote)])),
  offer: (application, at) =>
    new Map(
      application.quotes.flatMap((quote) =>
        quote.offers.map((offer) => [offer.offer_id, offerStatus(application, quote, offer, at)] as const)
      )
    ),
  proposal: ({ proposal }) => new Map(proposal === null ? [] : [[proposal.proposal_id, proposal.status]])
}

interface Change {
  readonly before: State
  readonly after: State
  readonly cause: string
}

/** Lists the changes that a command causes, one per event. */
const changesBy = (state: State, name: CommandName): ReadonlyArray<Change> => {
  const command = commands[name](state)
  const decided = decide(command, state.application)
  if (decided._tag === "Failure") return []
  let before = state
  return decided.success.map((event) => {
    const after: State = { application: evolve(before.application, event), at: event.at }
    const change = { before, after, cause: event._tag }
    before = after
    return change
  })
}

const afterAllExpiries = "2100-01-01T00:00:00.000Z" as Timestamp

const commandNames = Object.keys(commands) as ReadonlyArray<CommandName>

const changes: ReadonlyArray<Change> = Object.values<State>(states).flatMap((before) => [
  ...commandNames.flatMap((name) => changesBy(before, name)),
  { before, after: { ...before, at: afterAllExpiries }, cause: "expires_at" }
])

/** Returns the edges of a diagram: for each status, the statuses that follow it, with the causes of each change. */
const edgesOf = (statusesOf: Statuses): ReadonlyMap<string, ReadonlySet<string>> => {
  const edges = new Map<string, Set<string>>()
  const add = (from: string, to: string, cause: string): void => {
    const edge = `${from} --> ${to}`
    edges.set(edge, new Set([...edges.get(edge) ?? [], cause]))
  }
  const sources = new Set<string>()
  const targets = new Set<string>()
  for (const status of statusesOf(newApplication(), noon).values()) add("[*]", status, "ApplicationOpened")
  for (const { after, before, cause } of changes) {
    const statusesBefore = statusesOf(before.application, before.at)
    for (const [id, status] of statusesOf(after.application, after.at)) {
      const from = statusesBefore.get(id)
      if (from === status) continue
      add(from ?? "[*]", status, cause)
      if (from !== undefined) sources.add(from)
      targets.add(status)
    }
  }
  for (const target of targets) if (!sources.has(target)) add(target, "[*]", "")
  return edges
}

const diagram = (subject: keyof typeof subjects): string => {
  const edges = Array.from(edgesOf(subjects[subject])).toSorted(([a], [b]) =>
    Number(b.startsWith("[*]")) - Number(a.startsWith("[*]"))
  )
  const lines = edges.map(([edge, causes]) => {
    const label = Array.from(causes).filter((cause) => cause !== "").toSorted().join(", ")
    return label === "" ? `  ${edge}` : `  ${edge}: ${label}`
  })
  return ["```mermaid", "stateDiagram-v2", ...lines, "```"].join("\n")
}

const code = (answer: string): string => answer === none ? "" : `\`${answer}\``

/** Returns the usual answer to a command: the one of most states, if at least three rows have it. */
const usualIn = (column: number, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const [answer = none, equal = []] = Array.from(Map.groupBy(rows, (cells) => cells[column]!))
    .toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  return equal.length < 3 || answer.length < 12 ? none : answer
}

/** Replaces the usual answer, or the usual last events, by a dot. */
const short = (answer: string, usual: string): string => {
  if (usual === none || !answer.endsWith(usual)) return code(answer)
  return answer === usual ? "·" : `${code(answer.slice(0, -usual.length - ", ".length))} ·`
}

const statusOf = (state: string): string => /^\w+/.exec(state)?.[0] ?? state

/** Names a group of states. Uses the status alone if the group has all states of that status. */
const namesOf = (group: ReadonlyArray<string>): string => {
  const all = Map.groupBy(Object.keys(stateTable), statusOf)
  return Array.from(
    Map.groupBy(group, statusOf),
    ([status, members]) =>
      members.length > 1 && members.length === all.get(status)?.length ? `${status} (all)` : members.join("; ")
  ).join("; ")
}

/** Renders a table with one row for all states that have the same cells, and a first row for the usual answers. */
const table = (columns: ReadonlyArray<CommandName | "status" | "next_action">): string => {
  const shown = Object.entries(stateTable).filter(([, answers]) => columns.some((column) => answers[column] !== none))
  const groups = Map.groupBy(shown, ([, answers]) => columns.map((column) => answers[column]).join("|"))
  const rows = Array.from(groups.values(), (states) => ({
    states: namesOf(states.map(([state]) => state)),
    cells: columns.map((column) => states[0]![1][column])
  }))
  const usual = columns.map((_, column) => usualIn(column, rows.map(({ cells }) => cells)))
  const longest = rows.toSorted((a, b) => b.states.length - a.states.length)[0]!
  // The row of all other states comes last. It is possible only if no state is left out.
  const hasAllStates = shown.length === Object.keys(stateTable).length
  const ordered = hasAllStates
    ? [...rows.filter((row) => row !== longest), { ...longest, states: "all other states" }]
    : rows
  return [
    `| states | ${columns.join(" | ")} |`,
    `|${" --- |".repeat(columns.length + 1)}`,
    ...usual.some((answer) => answer !== none) ? [`| · = | ${usual.map(code).join(" | ")} |`] : [],
    ...ordered.map(({ cells, states }) =>
      `| ${states} | ${cells.map((answer, column) => short(answer, usual[column]!)).join(" | ")} |`
    )
  ].join("\n")
}

const startingWith = (prefix: string): ReadonlyArray<CommandName> =>
  commandNames.filter((name) => name.startsWith(prefix))

const quoteResults = [
  "offers",
  "refusal",
  "failure",
  "offers for the first quote",
  "offers of slow lender",
  "patience over"
] as const
const grouped = new Set<CommandName | "re-quote">([
  "re-quote",
  ...startingWith("accept"),
  ...startingWith("kyc"),
  ...startingWith("to "),
  ...quoteResults
])
const exits = ["cancel", "withdraw", "renew link"].flatMap(startingWith)
const answersToExits = commandNames.filter((name) => !grouped.has(name) && !exits.includes(name))

/**
 * Renders docs/states.md: the states of applications, quotes, offers and proposals. Throws if the tested table is out
 * of date.
 */
export const statesPage = (): string => {
  for (const [name, state] of Object.entries(states)) {
    const expected = Object.entries(stateTable).find(([key]) => key === name)?.[1]
    if (isDeepStrictEqual(answersOf(state), expected)) continue
    throw new Error(`${name} differs from the state table: run packages/domain/test/loan/decide.test.ts`)
  }
  return `# States

\`pnpm states\` writes this page from the test that sends every command in every state of \`packages/domain/test/loan/states.ts\`. The strategy \`FIRST\` is not included.

## Application

Application status is derived from the latest quote, its offers, the proposal and the clock. It is never stored.

${diagram("application")}

## Quote

\`SUPERSEDED\` means that a newer quote was requested.

${diagram("quote")}

## Offer

\`DECLINED\` means that another offer of the application was accepted, or that the application was cancelled.

${diagram("offer")}

## Proposal

The status of a proposal follows the events of its contract. If the lender skips steps, the events that must have happened in between are recorded, too.

${diagram("proposal")}

## Commands by state

Each cell lists the recorded events or the error. An empty cell means that the command succeeds and changes nothing. A dot stands for the events or the error in the row "· =". States with only empty cells are left out. States with the same cells share a row; "(all)" means every state of the status. Every state below has two quotes, and the offers of the first quote are superseded.

### Status and quote requests

${table(["status", "next_action", "re-quote"])}

### Acceptance

The command \`accept\` accepts the best offer of the second quote, \`accept sibling\` the other offer of that quote, and \`accept superseded\` an offer of the first quote.

${table(startingWith("accept"))}

### KYC

After an acceptance, only the disbursement account may change in \`DISBURSEMENT_FAILED\`, and only the refused fields in \`CORRECTION_NEEDED\`, if any are named.

${table(startingWith("kyc"))}

### Quote results

Only the latest quote accepts a result, and only while its part of that lender is \`PENDING\` (a quote at one lender has one part).

${table(quoteResults)}

### Contract status at the lender

${table(startingWith("to "))}

### Other answers of the lender

\`submission starts\` is recorded before the first call. \`data refused\` answers a submission, \`no contract\` a cancellation, \`refund refused\` a withdrawal and \`new link\` a request for a signature link. \`exit not offered\` answers any of the last three.

${table(answersToExits)}

### Exits

${table(exits)}
`
}
