import type { Threat } from "./threats.ts"

/** A business rule, stated by the doc comment of the exported declaration that decides it. */
export interface Rule {
  readonly id: string
  readonly sentence: string
  readonly file: string
}

/** The name of a test, without the ids of the rules or threats that it starts with. */
export interface NamedTest {
  readonly id: string
  readonly name: string
  readonly file: string
  /** Whether the text is the first argument of a call: then an unknown id is a mistake, and no coincidence. */
  readonly called: boolean
}

/** A file's path from the root of the repository, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const docComment = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*(export\b)?/g

/** The rules that the doc comments of a file state, and what is wrong with them. */
export const rulesIn = (
  { path, text }: SourceFile
): { rules: ReadonlyArray<Rule>; problems: ReadonlyArray<string> } => {
  const rules: Array<Rule> = []
  const problems: Array<string> = []
  for (const [, comment = "", exported] of text.matchAll(docComment)) {
    for (const [, id = ""] of comment.matchAll(/@rule[ \t]*(\S*)/g)) {
      const prose = comment.replaceAll(/^[ \t]*\*[ \t]?/gm, "").split(/(?:^|\s)@\w/)[0]!.replaceAll(/\s+/g, " ").trim()
      const sentence = /^.*?(?<!\b(?:e\.g|i\.e))\.(?= [A-Z`"(]|$)/.exec(prose)?.[0] ?? prose
      if (!/^[A-Z]+-\d\d$/.test(id)) problems.push(`${path}: "@rule ${id}" is no id such as DOC-01`)
      else if (exported === undefined) problems.push(`${path}: ${id} is on a declaration that is not exported`)
      else if (sentence === "") problems.push(`${path}: ${id} does not state its rule`)
      else rules.push({ id, sentence, file: path })
    }
  }
  return { rules, problems }
}

const namingText = /(\(\s*)?(["'`])((?:(?:[A-Z]+-\d\d|T\d\d)(?:, | ))+)((?:(?!\2)[^\\]|\\.)*)\2/gs

/** The texts in a file that start with the id of a rule or of a threat, as test names do: once for each such id. */
export const namedTestsIn = ({ path, text }: SourceFile): ReadonlyArray<NamedTest> =>
  Array.from(text.matchAll(namingText)).flatMap(([, call, , ids = "", name = ""]) => {
    const shown = name.replaceAll(/\$\{[^}]*\}/g, "…").replaceAll(/\s+/g, " ").trim()
    return ids.split(/[ ,]+/).filter((id) => id !== "").map((id) => ({
      id,
      name: shown,
      file: path,
      called: call !== undefined
    }))
  })

/** What is wrong between rules, threats and tests, a line each. */
export const problemsOf = (
  rules: ReadonlyArray<Rule>,
  threats: ReadonlyArray<Threat>,
  tests: ReadonlyArray<NamedTest>
): ReadonlyArray<string> => {
  const tested = new Set(tests.map((test) => test.id))
  const known = new Set([...rules, ...threats].map(({ id }) => id))
  const firstFile = new Map<string, string>()
  return [
    ...rules.flatMap(({ file, id }) => {
      const first = firstFile.get(id)
      firstFile.set(id, first ?? file)
      return first === undefined ? [] : [`${file}: ${id} is already the id of a rule in ${first}`]
    }),
    ...rules.filter(({ id }) => !tested.has(id)).map(({ file, id }) =>
      `${file}: ${id} has no test whose name starts with it`
    ),
    ...tests.filter(({ called, id }) => called && !known.has(id)).map(({ file, id, name }) =>
      `${file}: there is no ${id} for the test "${name}"`
    ),
    ...threats.filter(({ id, required }) => required && !tested.has(id)).map(({ id, threat }) =>
      `${id} has no test whose name starts with it: ${threat}`
    )
  ]
}

const escaped = (text: string): string => text.replaceAll("|", "\\|")
const link = (file: string): string => `[${file}](../${file})`
const byId = (a: { readonly id: string }, b: { readonly id: string }): number => a.id < b.id ? -1 : a.id > b.id ? 1 : 0
const page = (
  title: string,
  about: string,
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string =>
  [
    `# ${title}`,
    "",
    about,
    "",
    ...[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`),
    ""
  ].join("\n")

/** The page that lists every rule with where it is decided and where it is tested. */
export const rulesPage = (rules: ReadonlyArray<Rule>, tests: ReadonlyArray<NamedTest>): string =>
  page(
    "Rules",
    "Every business rule, where it is decided, and the tests that hold it. Written by `pnpm rules` from the doc comments and the names of the tests.",
    ["Id", "Rule", "Decided in", "Tested in"],
    rules.toSorted(byId).map(({ file, id, sentence }) => [
      id,
      escaped(sentence),
      link(file),
      Array.from(new Set(tests.filter((test) => test.id === id).map((test) => link(test.file)))).toSorted().join("<br>")
    ])
  )

/** The page that lists every threat that is tested or must be, with its tests. */
export const threatsPage = (threats: ReadonlyArray<Threat>, tests: ReadonlyArray<NamedTest>): string =>
  page(
    "Threats",
    "Ways to attack this API, and the tests that fail when one works. Written by `pnpm rules` from the names of the tests.",
    ["Id", "Threat", "Tests"],
    threats.toSorted(byId).flatMap(({ id, required, threat }) => {
      const own = new Set(
        tests.filter((test) => test.id === id).map((test) => `${escaped(test.name)} (${link(test.file)})`)
      )
      return required || own.size > 0 ? [[id, escaped(threat), Array.from(own).toSorted().join("<br>")]] : []
    })
  )
