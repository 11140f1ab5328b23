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

interface Suite {
  readonly name: string
  /** The doc comment of the suite. */
  readonly comment: string
}

/** Every suite that these files declare, in source order. */
const declaredSuites: ReadonlyArray<Suite> = ["suites.ts", "originationSuites.ts"].flatMap((file) =>
  Array.from(
    readFileSync(join(source, "suites", file), "utf8").matchAll(
      /\/\*\* ([^*]+) \*\/\nexport const (\w+Suite) = contractSuite</g
    ),
    ([, comment = "", name = ""]) => ({ comment, name })
  )
)

/** The suite of lenders. It takes a map of outcomes, so it is declared in its own file. */
const lenderSuites: ReadonlyArray<Suite> = [{
  comment: "Takes a map from each outcome of the lender to a fixture ([lenders.md](lenders.md)). " +
    "These are the cases of a lender that can have every outcome.",
  name: "lenderSuite"
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

/**
 * Replaces each outcome that the sandbox cannot have. Cases are only registered and never run, so any fixture will do.
 */
const withoutImpossible = <A extends object>(fixtures: A): A => {
  const replaced = Object.entries(fixtures).map(([name, fixture]) => {
    if (name === "refused") return [name, withoutImpossible(fixture)]
    return [name, "impossible" in fixture ? sandboxLenderFixtures.priced : fixture]
  })
  return Object.fromEntries(replaced) as A
}

const registerOf = (suite: string) =>
  (suite === "lenderSuite" ? lenderSuite : suites[suite as keyof typeof suites]) as (
    name: string,
    layer: typeof ports,
    runner: Runner,
    options: { readonly units: "concurrent" | "serialised"; readonly outcomes: typeof sandboxLenderFixtures }
  ) => void

/** Registers a suite with a runner that records the names of the cases and does not run them. */
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
  }, { units, outcomes: withoutImpossible(sandboxLenderFixtures) })
  return { port: suitePorts.at(-1) ?? "", suitePorts, caseNames }
}

/** The proofs of each port of the domain. A port without a suite has none. */
const proofs: Readonly<Record<string, ReadonlyArray<Proof>>> = { ...loanProofs, ...peopleProofs, ...storageProofs }

const domain = join(import.meta.dirname, "..", "packages", "domain", "src")

const domainFiles = globSync("**/*.ts", { cwd: domain }).map((path) => ({
  path,
  text: readFileSync(join(domain, path), "utf8")
}))

/** Fails if a sentence of the port's doc comment has no case. */
const checkSentences = (port: string, caseNames: ReadonlyArray<string>): void => {
  const sentences = domainFiles.map(({ text }) => portSentences(port, text)).find((declared) => declared !== null)
  const given = proofs[port]
  // A suite can cover several ports, for example `Origination`. There is no port with that name.
  if (sentences === undefined && given === undefined) return
  const problems = findSentenceProblems(sentences ?? [], given ?? [], caseNames)
  if (problems.length > 0) throw new Error(`${port}:\n${problems.join("\n")}`)
}

/** Formats the name of a case, with the ids of its rules and threats at the end. */
const sentence = (name: string): string => {
  const [, ids = "", text = ""] = /^((?:(?:[A-Z]+-\d\d|T\d\d) )*)(.*)$/.exec(name) ?? []
  return ids === "" ? text : `${text} (${ids.trimEnd().replaceAll(" ", ", ")})`
}

interface Contract {
  readonly port: string
  readonly suite: string
  readonly note: string
  readonly sentences: ReadonlyArray<string>
}

const contractOf = ({ comment, name }: Suite): Contract => {
  const { caseNames, port, suitePorts } = recordCases(name, "concurrent")
  for (const suitePort of suitePorts) checkSentences(suitePort, caseNames)
  const serialised = new Set(recordCases(name, "serialised").caseNames)
  return {
    port,
    suite: name,
    note: comment.replace(/^Contract suite for .*?\. ?/, "").replace(/\.$/, ""),
    sentences: caseNames.map((caseName) => `${sentence(caseName)}${serialised.has(caseName) ? "" : " (concurrent)"}`)
  }
}

/**
 * Returns the path of the file that declares a port, relative to the domain. Undefined if the suite covers several
 * ports.
 */
const fileOf = (port: string): string | undefined =>
  domainFiles.find(({ text }) => text.includes(`export class ${port} extends Context.Service<${port},`))?.path

const row = ({ note, port, sentences, suite }: Contract): string => {
  const file = fileOf(port)
  return `| ${
    [
      file === undefined ? port : `[${port}](../packages/domain/src/${file})`,
      suite.toLowerCase() === `${port}Suite`.toLowerCase() ? "" : `\`${suite}\``,
      String(sentences.length),
      note
    ].join(" | ")
  } |`
}

const head = `# Contracts

The contract of a port is its doc comment, to which this page links. An adapter is correct if it passes the suites of its ports. The name of each case is a sentence: \`pnpm contracts PartnerRepository\` prints those of a port. Generated by \`pnpm contracts\` from the suites, which fails if a sentence of a port's doc comment has neither a case nor a reason in [scripts/proofs](../scripts/proofs) why none is possible.

The suites are functions of \`@lastro/testkit/suites\`, named after their port. Their argument \`Runner\` has \`describe\`, \`it(name, { timeout }, run)\`, and \`before\` and \`after\` or \`beforeAll\` and \`afterAll\`, as \`node:test\` and \`vitest\` have. With Jest, pass \`jestRunner({ afterAll, beforeAll, describe, it })\`.

\`\`\`ts
// node --test
import { partnerRepositorySuite } from "@lastro/testkit/suites"
import * as runner from "node:test"
import { layerSqlite } from "../src/layerSqlite.ts"

partnerRepositorySuite("SQLite", layerSqlite(":memory:"), runner, { units: "serialised" })
\`\`\`

- The layer provides the port and the ports in the type of the suite's argument. It is built once. Each case creates its own records. If the layer cannot be built, every case fails.
- \`units\` is \`"concurrent"\` (default) if the adapter runs transactions in parallel, or \`"serialised"\`, which skips the sentences marked (concurrent).
- \`runs\` is the number of random examples for each property (default: 30), \`timeout\` the maximum start-up time of the layer (default: one minute). A case ends after 30 seconds, a property after 60.
- \`administrationSuite\` combines the suites for partners, users and identity, and \`originationSuite\` those for applications and proposals.
- \`AuditInspector\` reads the audit log, \`IdempotencyInspector\` the stored responses. \`ScriptedLender\` is the testkit's lender (\`layerScriptedLender\`).

[examples/sqlite-adapter](../examples/sqlite-adapter) is an independent adapter with its tests. \`StatusWatch\` has no suite, because its only implementation is in the domain.

| port | suite, if not named after the port | cases | condition |
|---|---|---:|---|
`

const contracts = (): ReadonlyArray<Contract> => [...declaredSuites, ...lenderSuites].map(contractOf)

/** Renders docs/contracts.md, the page of all contract suites. */
export const contractsPage = (): string => `${head}${contracts().map(row).join("\n")}\n`

/** Renders the sentences of the suites whose port has this name. */
export const contractSentences = (port: string): string =>
  contracts().filter((contract) => contract.port.startsWith(port)).map(({ port, sentences }) =>
    `${port}\n${sentences.map((text) => `- ${text}\n`).join("")}`
  ).join("\n")
