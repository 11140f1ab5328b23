import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { wordsPtBr } from "../../packages/adapters-http/src/console/wordsPtBr.ts"
import { version } from "../../packages/adapters-http/src/version/version.ts"
import { root } from "../execute.ts"

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const documents = globSync(["*.md", ".github/**/*.md", "docs/**/*.md", "packages/*/*.md", "examples/*/*.md"], {
  cwd: root
}).toSorted()

/** Removes code blocks and inline code. */
const proseOf = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`\n]*`/g, "")

const linksIn = (path: string): ReadonlyArray<string> =>
  Array.from(
    proseOf(read(path)).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm),
    ([, link, defined]) => link ?? defined ?? ""
  )
    .filter((link) => !/^[a-z]+:/.test(link))

/** Returns the fragments that link to the headings of a Markdown file on GitHub. */
const fragmentsOf = (path: string): ReadonlyArray<string> =>
  Array.from(
    read(path).replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.*)$/gm),
    ([, heading = ""]) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
  )

const resolves = (document: string, link: string): boolean => {
  const [path = "", fragment] = link.split("#")
  const target = path === "" ? document : relative(root, join(root, dirname(document), path))
  return existsSync(join(root, target)) &&
    (fragment === undefined || !target.endsWith(".md") || fragmentsOf(target).includes(fragment))
}

describe("links in documents", () => {
  it.each(documents)("%s has no broken relative link", (document) => {
    assert.deepStrictEqual(linksIn(document).filter((link) => !resolves(document, link)), [])
  })

  it("a package's README has no relative link, so that every link works from an unpacked tarball", () => {
    const readmes = documents.filter((document) => document.startsWith("packages/"))
    assert.isNotEmpty(readmes)
    for (const readme of readmes) assert.deepStrictEqual(linksIn(readme).filter((link) => !link.startsWith("#")), [])
  })
})

/** Returns the code blocks of a document, without the comments at the ends of lines. */
const commandsOf = (markdown: string): ReadonlyArray<string> =>
  Array.from(markdown.matchAll(/^```.*?^```$/gms), ([block]) => block.replaceAll(/ +# .*$/gm, ""))

const sectionsOf = (markdown: string): number => markdown.match(/^## /gm)?.length ?? 0

describe("README.pt-BR.md", () => {
  const [english, portuguese] = [read("README.md"), read("README.pt-BR.md")]

  it("has the same commands as README.md", () => {
    assert.isNotEmpty(commandsOf(english))
    assert.deepStrictEqual(commandsOf(portuguese), commandsOf(english))
  })

  it("has the same sections as README.md", () => {
    assert.strictEqual(sectionsOf(portuguese), sectionsOf(english))
  })
})

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsIn)
    : []
}

describe("docs/pt-BR", () => {
  const pages = documents.filter((document) => document.startsWith("docs/pt-BR/"))

  it("has five pages of together at most 30 kB, which README.pt-BR.md links to", () => {
    assert.lengthOf(pages, 5)
    assert.isAtMost(pages.map((page) => Buffer.byteLength(read(page))).reduce((sum, size) => sum + size), 30_000)
    assert.includeMembers([...linksIn("README.pt-BR.md")], pages)
  })

  it.each(pages)("%s begins with its use, and links to an English page", (page) => {
    assert.match(read(page), /^# .+\n\nDepois desta página, .+\n\n_Em inglês/)
    assert.isNotEmpty(linksIn(page).filter((link) => /^\.\.\/[\w-]+\.md|^\.\.\/\.\.\/packages/.test(link)))
  })

  it.each(pages)("%s has only commands of the README and of the English pages", (page) => {
    const english = documents.filter((document) => document === "README.md" || /^docs\/[\w-]+\.md$/.test(document))
    const lines = new Set(
      english.flatMap((document) => commandsOf(read(document))).flatMap((block) => block.split("\n"))
    )
    const own = commandsOf(read(page)).flatMap((block) => block.split("\n")).filter((line) => !line.startsWith("```"))
    assert.deepStrictEqual(own.filter((line) => !lines.has(line)), [])
  })

  it("quotes the texts of the console", () => {
    const texts = textsIn(wordsPtBr)
    const quoted = Array.from(read("docs/pt-BR/console.md").matchAll(/“([^”]+)”/g), ([, text = ""]) => text)
    assert.isAbove(quoted.length, 30)
    assert.deepStrictEqual(quoted.filter((text) => !texts.includes(text)), [])
  })

  it("names every next action as the console does", () => {
    const rows = Array.from(
      read("docs/pt-BR/integracao.md").matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm),
      ([, action = "", text = ""]) => [action, text]
    )
    assert.deepStrictEqual(Object.fromEntries(rows), wordsPtBr.nextAction)
  })
})

describe("the version", () => {
  it("is the same in the source, the packages and the server", () => {
    const manifests = globSync("{packages,apps}/*/package.json", { cwd: root })
    assert.isAtLeast(manifests.length, 6)
    for (const file of manifests) assert.strictEqual(JSON.parse(read(file)).version, version, file)
  })
})

describe("the order of the test files", () => {
  it("names only files that exist", () => {
    const names = [...readFileSync(join(root, "test", "LongestFirst.ts"), "utf8").matchAll(/^ {2}"([^"]+)"/gm)]
      .map(([, name = ""]) => name)
    assert.isAbove(names.length, 60)
    const missing = names.filter((name) => globSync(`{packages,apps}/${name}.test.ts`, { cwd: root }).length === 0)
    assert.deepStrictEqual(missing, [])
  })
})
