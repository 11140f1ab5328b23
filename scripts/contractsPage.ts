import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as suites from "../packages/testkit/src/contracts/suites.ts"
import { layerMemory } from "../packages/testkit/src/memory/layerMemory.ts"

const source = join(import.meta.dirname, "..", "packages", "testkit", "src")
const textOf = (...path: ReadonlyArray<string>): string => readFileSync(join(source, ...path), "utf8")

const contracts = textOf("contracts", "contracts.ts")

/** The ports that a type names, with those it names by another name. */
const portsIn = (type: string): ReadonlyArray<string> =>
  Array.from(type.matchAll(/\w+/g), ([name]) => name).flatMap((name) => {
    const [, meant] = new RegExp(`export type ${name} =((?:\\s*\\|? \\w+)+)`).exec(
      textOf("origination", "OriginationWorld.ts")
    ) ?? []
    return meant === undefined ? [name] : portsIn(meant)
  })

/** The ports that the cases of a contract ask for. */
const needsOf = (contract: string): ReadonlyArray<string> => {
  const [, type] = new RegExp(`export const ${contract}: Contract<([^>]+)>`).exec(contracts) ?? []
  if (type === undefined) throw new Error(`what ${contract} needs is not to be found`)
  return portsIn(type)
}

/** What suites.ts says of each suite, in its order. */
const described = Array.from(
  textOf("contracts", "suites.ts").matchAll(
    /\/\*\* ([^*]+) \*\/\nexport const (\w+Suite) = contractSuite(?:<(\w+)>)?\(\[(\w+)?/g
  ),
  ([, about = "", suite = "", only, contract = ""]) => ({
    about,
    suite,
    needs: only === undefined ? needsOf(contract) : [only]
  })
)

const found = described.map(({ suite }) => suite)
const exported = Object.keys(suites)
/** Suites that the pattern above passes over, and what it takes for one. */
const misread = [...exported.filter((one) => !found.includes(one)), ...found.filter((one) => !exported.includes(one))]
if (misread.length > 0) throw new Error(`suites.ts is not written as this script reads it: ${misread.join(", ")}`)

interface Sentences {
  readonly port: string
  readonly names: ReadonlyArray<string>
}

/** What a suite registers over an adapter of which several units of work run at once, or one after another. */
const registered = (suite: string, units: "concurrent" | "serialised"): Sentences => {
  const [, register] = Object.entries(suites).find(([name]) => name === suite) ?? []
  if (register === undefined) throw new Error(`there is no ${suite}`)
  const names: Array<string> = []
  let port = ""
  register("", layerMemory, {
    describe: (name, define) => {
      port = name.replace(/ contract$/, "")
      define()
    },
    it: (name) => names.push(name),
    before: () => {},
    after: () => {}
  }, { units })
  return { port, names }
}

const pageOf = (id: string): string => id.includes("-") ? "rules.md" : "threats.md"

/** The name of a case, with the ids of its rules and threats behind it. */
const sentence = (name: string): string => {
  const [, ids = "", text = ""] = /^((?:(?:[A-Z]+-\d\d|T\d\d) )*)(.*)$/.exec(name) ?? []
  const links = ids.trimEnd().split(" ").filter((id) => id !== "").map((id) => `[${id}](${pageOf(id)})`)
  return links.length === 0 ? text : `${text} (${links.join(", ")})`
}

const listed = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

const section = ({ about, needs, suite }: typeof described[number]): string => {
  const { names, port } = registered(suite, "concurrent")
  const always = new Set(registered(suite, "serialised").names)
  const beside = needs.filter((need) => need !== port).toSorted().map((need) => `\`${need}\``)
  const told = about.replace(/^The contract of \w+[;,.] ?/, "")
  return [
    `## ${port}`,
    "",
    [
      `\`${suite}\`.`,
      ...(told === "" ? [] : [`${told.charAt(0).toUpperCase()}${told.slice(1)}`]),
      ...(beside.length === 0 ? [] : [`Its cases ${needs.includes(port) ? "also " : ""}need ${listed(beside)}.`])
    ].join(" "),
    "",
    ...names.map((name, at) => `${at + 1}. ${sentence(name)}${always.has(name) ? "" : " _(concurrent units)_"}`),
    ""
  ].join("\n")
}

const head = `# Contracts

What each port of the domain promises, a sentence for each case of its contract suite. An adapter is right when it passes the suites of the ports it implements; where it is wrong, the name of the case that fails is the promise it breaks. Written by \`pnpm contracts\` from the suites.

The suites are functions of \`@lastro/testkit/contracts\`. They bring no test runner: the one that runs them is an argument (\`Runner\`). They need its \`describe\`, its \`it(name, { timeout }, run)\`, and what it runs before the first case of a suite and after the last: \`before\` and \`after\`, or \`beforeAll\` and \`afterAll\`. The modules of \`node:test\` and vitest are such runners as they are.

\`\`\`ts
// node --test
import { partnerRepositorySuite } from "@lastro/testkit/contracts"
import * as runner from "node:test"
import { layerSqlite } from "../src/layerSqlite.ts"

partnerRepositorySuite("SQLite", layerSqlite(":memory:"), runner, { units: "serialised" })
\`\`\`

Under vitest the second import is \`import * as runner from "vitest"\`, and nothing else changes. Jest takes the timeout of a case last, and gives a case nothing that says when it no longer waits:

\`\`\`ts
import { afterAll, beforeAll, describe, it } from "@jest/globals"
import { type Runner } from "@lastro/testkit/contracts"

export const runner: Runner = {
  describe,
  it: (name, { timeout }, run) => it(name, () => run({}), timeout),
  beforeAll,
  afterAll
}
\`\`\`

- The layer provides the port and those that its cases need to fill and question it. It is built once, before the first case, and closed after the last; cases never meet in it, because each makes records of its own. A layer that cannot be built fails every case.
- \`units\` says whether transactions of the adapter run beside each other (\`"concurrent"\`, the default) or one at a time (\`"serialised"\`). Sentences marked _(concurrent units)_ are about transactions that wait for each other, and left out for an adapter that has none.
- \`runs\` is how many random examples a property tries (30), \`timeout\` how long the layer may take to start (a minute). A case may take 30 seconds, a property 60.
- \`administrationSuite\` and \`originationSuite\` are the suites of all ports that partners, users and identity, or applications and proposals, are kept behind, over one layer.
- \`AuditInspector\` reads the audit back, which the domain only writes; \`ScriptedLender\` is the testkit's lender (\`layerScriptedLender\`).

[examples/sqlite-adapter](../examples/sqlite-adapter) is an adapter that somebody else might have written, with its tests. \`StatusWatch\` has no suite: its one implementation is the domain's own, over the other ports.
`

/** The page that lists what every port promises. */
export const contractsPage = (): string => [head, ...described.map(section)].join("\n")
