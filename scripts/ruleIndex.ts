import { basename, dirname } from "node:path"

/**
 * A business rule. Its text is the first sentence of the doc comment of the exported declaration that implements it.
 * Its source is the rest of the paragraph after `Source:`, or empty.
 */
export interface Rule {
  readonly id: string
  readonly sentence: string
  readonly source: string
  readonly file: string
}

/** The rules that follow from a law. Each must name its source. */
const legalRules = /^(?:POLICY-\d\d|PRICE-(?:05|06|09|15)|FGTS-(?:18|41|58|59)|PROP-09)$/

/** The name of a test, without the rule or threat ids at its start. */
export interface NamedTest {
  readonly id: string
  readonly name: string
  readonly file: string
  /**
   * True if the text is the first argument of a call. Only then is an unknown id an error, because other texts may not
   * be test names.
   */
  readonly isArgument: boolean
}

/** A file: its path relative to the root of the repository, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Returns the rest of the paragraph after `Source:` in a doc comment. Empty if there is none. */
const sourceOf = (text: string): string => {
  const lines = (text.split("Source:")[1] ?? "").split("\n").map((line) => line.trim())
  const end = lines.indexOf("", 1)
  return lines.slice(0, end < 0 ? lines.length : end).join(" ").trim()
}

const docComment = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*(export\b)?/g

/** Parses the rules in the doc comments of a file. Reports malformed rules as problems. */
export const parseRules = (
  { path, text }: SourceFile
): { rules: ReadonlyArray<Rule>; problems: ReadonlyArray<string> } => {
  const rules: Array<Rule> = []
  const problems: Array<string> = []
  for (const [, comment = "", exported] of text.matchAll(docComment)) {
    for (const [, id = ""] of comment.matchAll(/@rule[ \t]*(\S*)/g)) {
      const text = comment.replaceAll(/^[ \t]*\*[ \t]?/gm, "").split(/(?:^|\s)@\w/)[0]!
      const prose = text.replaceAll(/\s+/g, " ").trim()
      const source = sourceOf(text)
      const sentence = /^.*?(?<!\b(?:e\.g|i\.e))\.(?= [A-Z`"(]|$)/.exec(prose)?.[0] ?? prose
      if (!/^[A-Z]+-\d\d$/.test(id)) problems.push(`${path}: "@rule ${id}" must have an id such as DOC-01`)
      else if (exported === undefined) problems.push(`${path}: ${id} must be on an exported declaration`)
      else if (sentence === "") problems.push(`${path}: ${id} has no sentence that states the rule`)
      else rules.push({ id, sentence, source, file: path })
    }
  }
  return { rules, problems }
}

const namingText = /(\(\s*)?(["'`])((?:(?:[A-Z]+-\d\d|T\d\d)(?:, | ))+)((?:(?!\2)[^\\]|\\.)*)\2/gs

/**
 * Finds the strings of a file that start with rule or threat ids, like the names of tests. Returns one entry per id.
 */
export const parseTestNames = ({ path, text }: SourceFile): ReadonlyArray<NamedTest> =>
  Array.from(text.matchAll(namingText)).flatMap(([, call, , ids = "", name = ""]) => {
    const shown = name.replaceAll(/\$\{[^}]*\}/g, "…").replaceAll(/\s+/g, " ").trim()
    return ids.split(/[ ,]+/).filter((id) => id !== "").map((id) => ({
      id,
      name: shown,
      file: path,
      isArgument: call !== undefined
    }))
  })

/** Finds duplicate ids, rules and threats without a test, and tests with unknown ids. Returns one line per problem. */
export const findProblems = (
  rules: ReadonlyArray<Rule>,
  threats: Readonly<Record<string, string>>,
  tests: ReadonlyArray<NamedTest>
): ReadonlyArray<string> => {
  const tested = new Set(tests.map((test) => test.id))
  const known = new Set([...rules.map(({ id }) => id), ...Object.keys(threats)])
  const firstFile = new Map<string, string>()
  return [
    ...rules.flatMap(({ file, id }) => {
      const first = firstFile.get(id)
      firstFile.set(id, first ?? file)
      return first === undefined ? [] : [`${file}: ${id} is already used in ${first}`]
    }),
    ...rules.filter(({ id, source }) => legalRules.test(id) && source === "").map(({ file, id }) =>
      `${file}: the doc comment of ${id} must name the law in a paragraph that begins with Source:`
    ),
    ...rules.filter(({ id }) => !tested.has(id)).map(({ file, id }) => `${file}: no test name starts with ${id}`),
    ...tests.filter(({ id, isArgument }) => isArgument && !known.has(id)).map(({ file, id, name }) =>
      `${file}: the test "${name}" starts with the unknown id ${id}`
    ),
    ...Object.entries(threats).filter(([id]) => !tested.has(id)).map(([id, threat]) =>
      `no test name starts with ${id}: ${threat}`
    )
  ]
}

const foldersOf = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> =>
  [...new Set(rules.map(({ file }) => dirname(file).replace("packages/domain/src/", "")))].toSorted()

const lineOf = ({ id, sentence, source }: Rule): string =>
  `- ${id} ${sentence}${source === "" ? "" : ` *Source: ${source}*`}`

/** Renders docs/rules.md: every rule in one line, with its source, under the folder of its area. */
export const rulesPage = (rules: ReadonlyArray<Rule>): string => {
  const areas = Map.groupBy(rules.toSorted((a, b) => a.id < b.id ? -1 : 1), ({ id }) => id.split("-")[0])
  return [
    "# Rules",
    "Every business rule, below the folders of `packages/domain/src` with the code of its area. `git grep -n '@rule " +
    "DOC-01'` finds the code of a rule, and `pnpm test -t DOC-01` runs its tests. A rule that follows from a law names " +
    "its source. Generated by `pnpm rules` from doc comments.",
    ...Array.from(areas).flatMap(([area, members]) => [
      `## ${area}`,
      foldersOf(members).join(", "),
      members.map(lineOf).join("\n")
    ])
  ].join("\n\n") + "\n"
}

const short = (file: string): string => basename(file, ".ts").replace(/\.test$/, "")

/** Returns a label for each file. Files with the same name also get the name of their folder. */
const labelsOf = (files: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const distinct = [...new Set(files)]
  const counts = Map.groupBy(distinct, (file) => short(file).toLowerCase())
  return new Map(
    distinct.map((file) => [
      file,
      counts.get(short(file).toLowerCase())?.length === 1 ? short(file) : `${basename(dirname(file))}/${short(file)}`
    ])
  )
}

const isSuite = (file: string): boolean => file.startsWith("packages/testkit/src/suites/")

/** Renders docs/threats.md: every threat, with the files of its tests. */
export const threatsPage = (threats: Readonly<Record<string, string>>, tests: ReadonlyArray<NamedTest>): string => {
  const named = tests.filter(({ id }) => Object.hasOwn(threats, id))
  const labels = labelsOf(named.map(({ file }) => file).filter((file) => !isSuite(file)))
  return [
    "# Threats",
    "",
    "Attacks on the API, each with the files of the tests that fail if the attack succeeds. The names of these tests " +
    "start with the id: `pnpm test -t T07` runs them, `git grep -n 'T07'` finds them. `contracts` are the " +
    "[contract suites](contracts.md). Generated by `pnpm rules` from test names.",
    "",
    ...Object.entries(threats).map(([id, threat]) => {
      const files = named.filter((test) => test.id === id).map(({ file }) => file).toSorted()
      const names = Array.from(new Set(files.map((file) => labels.get(file) ?? "contracts")))
      const more = names.length > 7 ? ` and ${names.length - 6} more` : ""
      const shown = names.slice(0, more === "" ? 7 : 6).join(", ")
      return `- **${id}** ${threat}: ${shown}${more}`
    }),
    ""
  ].join("\n")
}
