import { type NamedLoad, readTenantLoads } from "@lastro/adapters-sql"
import { meterMinutes, otherTenants } from "@lastro/domain/ports"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { stripVTControlCharacters } from "node:util"
import { OperatorTerminal } from "./OperatorTerminal.ts"
import { json } from "./records.ts"
import { withPorts } from "./withPorts.ts"

const limit = Flag.Int("limit").pipe(
  Flag.withDescription("Maximum number of tenants, from 1 to 50. Default: 20"),
  Flag.withDefault(20),
  Flag.filter((value) => value >= 1 && value <= 50, () => "from 1 to 50")
)

type Loads = Effect.Success<ReturnType<typeof readTenantLoads>>

const formatShare = (amount: number, total: number): string =>
  `${amount}${total === 0 ? "" : ` (${Math.round(amount / total * 100)} %)`}`

const nameOf = ({ name, root }: NamedLoad): string => {
  if (root === otherTenants) return "all further tenants"
  return root === ""
    ? "caller unknown"
    : stripVTControlCharacters(name ?? "-").replaceAll(/\p{Cc}/gu, " ")
}

/** The rows of the table. Names, which can be personal data, are shown only on a terminal. */
const rowsOf = ({ tenants }: Loads, withNames: boolean): ReadonlyArray<ReadonlyArray<string>> => {
  const total = (amount: (load: NamedLoad) => number) => tenants.reduce((sum, load) => sum + amount(load), 0)
  const requests = total((load) => load.requests)
  const busy_ms = total((load) => load.busy_ms)
  const calls = total((load) => load.calls)
  return [
    ["root", "requests", "processor_ms", "lender_calls", ...withNames ? ["name"] : []],
    ...tenants.map((load) => [
      load.root === "" ? "-" : load.root,
      formatShare(load.requests, requests),
      formatShare(load.busy_ms, busy_ms),
      formatShare(load.calls, calls),
      ...withNames ? [nameOf(load)] : []
    ])
  ]
}

/** Aligns the columns of a table with spaces. The last column is not padded. */
const alignColumns = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()).join("\n")
}

const screenOf = (loads: Loads): string => {
  const { nodes } = loads
  const title = `The last ${meterMinutes} minutes on ${nodes} ${nodes === 1 ? "node" : "nodes"}. End with Ctrl-C.`
  // Move the cursor to the top left, then clear the rest of the screen.
  return `\x1b[H\x1b[J${title}\n\n${alignColumns(rowsOf(loads, true))}`
}

const jsonOf = ({ nodes, tenants }: Loads) => ({
  minutes: meterMinutes,
  nodes,
  tenants: tenants.map(({ busy_ms, calls, requests, root }) => ({
    root_partner_id: root === "" || root === otherTenants ? null : root,
    is_other: root === otherTenants,
    requests,
    processor_ms: busy_ms,
    lender_calls: calls
  }))
})

/** Shows the tenants with the most work. */
export const top = Command.make("top", { json, limit }, ({ json, limit }) =>
  Effect.gen(function*() {
    const read = readTenantLoads(limit)
    if (json) return yield* Console.log(JSON.stringify(jsonOf(yield* read), null, 2))
    const { isScreen } = yield* OperatorTerminal
    if (!isScreen) {
      const rows = rowsOf(yield* read, false)
      return yield* Console.log(rows.map((row) => row.join("\t")).join("\n"))
    }
    const show = Effect.flatMap(read, (loads) => Console.log(screenOf(loads)))
    return yield* Effect.forever(Effect.andThen(show, Effect.sleep("2 seconds")))
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "Show the root partners with the most work in the last 5 minutes on all running nodes: requests, processor time of requests and " +
        "durable jobs, and calls to the lender. The processor time is estimated from every eighth request. On a terminal, shows the " +
        "names of the partners and refreshes every 2 s. Elsewhere, prints once, as tab-separated columns without names."
    ),
    Command.withShortDescription("Show the tenants with the most work"),
    Command.withExamples([{
      command: "lastro top --json",
      description: "Print the tenants with the most work as JSON"
    }])
  )
