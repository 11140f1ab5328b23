import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const root = join(import.meta.dirname, "..", "..")

const documents = globSync(["*.md", ".github/**/*.md", "docs/**/*.md", "packages/*/*.md", "examples/*/*.md"], {
  cwd: root
})
  .toSorted()

/** Removes code blocks and inline code. */
const proseOf = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, "").replaceAll(/`[^`\n]*`/g, "")

const linksIn = (path: string): ReadonlyArray<string> =>
  Array.from(proseOf(readFileSync(join(root, path), "utf8")).matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))

/** Returns the fragments that link to the headings of a Markdown file on GitHub. */
const fragmentsOf = (path: string): ReadonlyArray<string> =>
  Array.from(
    readFileSync(join(root, path), "utf8").replaceAll(/^```.*?^```$/gms, "").matchAll(/^#+ (.*)$/gm),
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
