import { Effect, Layer } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { layerMemory } from "../packages/testkit/src/memory/layerMemory.ts"
import { WorkNodes } from "../packages/testkit/src/suites/jobs/durableNodesCases.ts"
import { lenderSuite } from "../packages/testkit/src/suites/lender/lenderSuite.ts"
import { sandboxLenderFixtures } from "../packages/testkit/src/suites/lender/sandboxLenderFixtures.ts"
import * as origination from "../packages/testkit/src/suites/originationSuites.ts"
import { type Runner } from "../packages/testkit/src/suites/suite/Runner.ts"
import * as administration from "../packages/testkit/src/suites/suites.ts"
import { findSentenceProblems, portSentences, type Proof } from "./portSentences.ts"
import { loanProofs } from "./proofs/loans.ts"
import { peopleProofs } from "./proofs/people.ts"
import { storageProofs } from "./proofs/storage.ts"

const suites = { ...administration, ...origination }

const source = join(import.meta.dirname, "..", "packages", "testkit", "src")

const testkit = globSync("**/*.ts", { cwd: source }).map((path) => readFileSync(join(source, path), "utf8")).join("\n")

/** Returns the names of the ports in a type. Expands the type aliases of the testkit. */
const portsIn = (type: string): ReadonlyArray<string> =>
  Array.from(type.matchAll(/\w+/g), ([name]) => name).flatMap((name) => {
    const [, alias] = new RegExp(`export type ${name} =((?:\\s*\\|? \\w+)+)`).exec(testkit) ?? []
    return alias === undefined ? [name] : portsIn(alias)
  })

interface Suite {
  readonly name: string
  /** The doc comment of the suite. */
  readonly comment: string
  readonly requires: ReadonlyArray<string>
}

/** Every suite that these files declare, in source order. */
const declaredSuites: ReadonlyArray<Suite> = ["suites.ts", "originationSuites.ts"].flatMap((file) =>
  Array.from(
    readFileSync(join(source, "suites", file), "utf8").matchAll(
      /\/\*\* ([^*]+) \*\/\nexport const (\w+Suite) = contractSuite<([^>]+)>\(/g
    ),
    ([, comment = "", name = "", ports = ""]) => ({ comment, name, requires: portsIn(ports) })
  )
)

/** The suite of lenders. It takes a map of outcomes, so it is declared in a file of its own. */
const lenderSuites: ReadonlyArray<Suite> = [{
  comment: "Takes a map from each outcome of the lender to a fixture ([lenders.md](lenders.md)). " +
    "These are the cases of a lender that can have every outcome.",
  name: "lenderSuite",
  requires: ["Lender"]
}]

const declared = declaredSuites.map(({ name }) => name).toSorted().join(", ")
const exported = Object.keys(suites).toSorted().join(", ")
if (declared !== exported) {
  throw new Error(
    `A file of suites does not have the format that this script parses: ${declared} instead of ${exported}`
  )
}

/** The ports of every suite. They are not built. */
const ports = Layer.merge(layerMemory, Layer.effect(WorkNodes, Effect.never))

/** Replaces each outcome that the sandbox cannot have. The cases are registered and not run, so any fixture serves. */
const possible = <A extends object>(fixtures: A): A =>
  Object.fromEntries(
    Object.entries(fixtures).map(([name, one]) => [
      name,
      name === "refused" ? possible(one) : "impossible" in one ? sandboxLenderFixtures.priced : one
    ])
  ) as A

const registerOf = (suite: string) =>
  (suite === "lenderSuite" ? lenderSuite : suites[suite as keyof typeof suites]) as (
    name: string,
    layer: typeof ports,
    runner: Runner,
    options: { readonly units: "concurrent" | "serialised"; readonly outcomes: typeof sandboxLenderFixtures }
  ) => void

/** Registers a suite with a runner that does not run the cases, but records their names. */
const recordCases = (suite: string, units: "concurrent" | "serialised") => {
  const caseNames: Array<string> = []
  const suitePorts: Array<string> = []
  registerOf(suite)("", ports, {
    describe: (name, define) => {
      if (name !== "") suitePorts.push(name.replace(/ contract$/, ""))
      define()
    },
    it: (name) => caseNames.push(name),
    before: () => {},
    after: () => {}
  }, { units, outcomes: possible(sandboxLenderFixtures) })
  return { port: suitePorts.at(-1) ?? "", suitePorts, caseNames }
}

/** The proofs of each port of the domain. A port without a suite has none. */
const proofs: Readonly<Record<string, ReadonlyArray<Proof>>> = { ...loanProofs, ...peopleProofs, ...storageProofs }

const domain = join(import.meta.dirname, "..", "packages", "domain", "src")

const domainFiles = globSync("**/*.ts", { cwd: domain }).map((path) => readFileSync(join(domain, path), "utf8"))

/** Fails if a sentence of the port's doc comment has no case. */
const checkSentences = (port: string, caseNames: ReadonlyArray<string>): void => {
  const sentences = domainFiles.map((text) => portSentences(port, text)).find((found) => found !== null)
  const given = proofs[port]
  // A suite can be about several ports together, for example `Origination`. Then there is no such port.
  if (sentences === undefined && given === undefined) return
  const problems = findSentenceProblems(sentences ?? [], given ?? [], caseNames)
  if (problems.length > 0) throw new Error(`${port}:\n${problems.join("\n")}`)
}

/** Formats the name of a case, with the ids of its rules and threats at the end. */
const sentence = (name: string): string => {
  const [, ids = "", text = ""] = /^((?:(?:[A-Z]+-\d\d|T\d\d) )*)(.*)$/.exec(name) ?? []
  return ids === "" ? text : `${text} (${ids.trimEnd().replaceAll(" ", ", ")})`
}

const enumerate = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

const section = ({ comment, name, requires }: Suite): string => {
  const { caseNames, port, suitePorts } = recordCases(name, "concurrent")
  for (const one of suitePorts) checkSentences(one, caseNames)
  const serialised = new Set(recordCases(name, "serialised").caseNames)
  const others = requires.filter((required) => required !== port).toSorted().map((required) => `\`${required}\``)
  const note = comment.replace(/^.*?\bcontract of `?\w+`?[;,.] ?/, "")
  return [
    `## ${port}`,
    "",
    [
      `\`${name}\`.`,
      ...(note === "" ? [] : [`${note.charAt(0).toUpperCase()}${note.slice(1)}`]),
      ...(others.length === 0
        ? []
        : [`Its cases ${requires.includes(port) ? "also " : ""}require ${enumerate(others)}.`])
    ].join(" "),
    "",
    ...caseNames.map((caseName, index) =>
      `${index + 1}. ${sentence(caseName)}${serialised.has(caseName) ? "" : " _(concurrent units)_"}`
    ),
    ""
  ].join("\n")
}

const head = `# Contracts

The contract of each port of the domain: one sentence for each case of its contract suite. An adapter is correct if it passes the suites of the ports that it implements. The name of a failing case is the sentence that the adapter breaks. Generated by \`pnpm contracts\` from the suites. The ids at the end of a sentence are of [rules](rules.md) and [threats](threats.md). Each sentence of a port's doc comment has a case, or a reason in [scripts/proofs](../scripts/proofs) why no case is possible.

The suites are functions of \`@lastro/testkit/suites\`. They take the test runner as an argument of type \`Runner\`: \`describe\`, \`it(name, { timeout }, run)\`, and \`before\` and \`after\` or \`beforeAll\` and \`afterAll\`. The modules \`node:test\` and \`vitest\` have this shape.

\`\`\`ts
// node --test
import { partnerRepositorySuite } from "@lastro/testkit/suites"
import * as runner from "node:test"
import { layerSqlite } from "../src/layerSqlite.ts"

partnerRepositorySuite("SQLite", layerSqlite(":memory:"), runner, { units: "serialised" })
\`\`\`

With vitest, import the runner with \`import * as runner from "vitest"\`. With Jest, pass \`jestRunner({ afterAll, beforeAll, describe, it })\`; the README of \`@lastro/testkit\` has a complete program.

- The layer provides the port and the other ports that the cases require. It is built once, before the first case, and closed after the last. Each case creates its own records, so cases do not affect each other. If the layer cannot be built, every case fails.
- \`units\` is \`"concurrent"\` (default) if the adapter runs transactions in parallel, or \`"serialised"\` if it runs them one at a time. Sentences marked _(concurrent units)_ are about transactions that wait for each other. They are skipped for serialised adapters.
- \`runs\` is the number of random examples for each property. Default: 30.
- \`timeout\` is the maximum start-up time of the layer. Default: one minute. The timeout of a case is 30 seconds, that of a property 60 seconds.
- \`administrationSuite\` combines the suites of all ports for partners, users and identity, and \`originationSuite\` those for applications and proposals. Each runs over one layer.
- \`AuditInspector\` reads the audit log, which the domain only writes. \`IdempotencyInspector\` reads the stored responses, which must be encrypted. \`ScriptedLender\` is the testkit's lender (\`layerScriptedLender\`).

[examples/sqlite-adapter](../examples/sqlite-adapter) is an independent adapter with its tests. \`StatusWatch\` has no suite: its only implementation is part of the domain.
`

/** Renders docs/contracts.md, the page of all contract suites. */
export const contractsPage = (): string =>
  [head, ...declaredSuites.map(section), ...lenderSuites.map(section)].join("\n")
