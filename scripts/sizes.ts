// Writes down how much code each entry point brings with it (docs/sizes.md), so that a growth shows in review. With --check it
// only says whether the figures are current, give or take three percent.
import { readFile, writeFile } from "node:fs/promises"
import { isAbsolute, join } from "node:path"
import { constants, gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { root } from "./packages/execute.ts"
import { folders } from "./packages/tarballs.ts"

interface Measured {
  readonly what: string
  readonly minified: number
  readonly gzipped: number
}

/** What can be told apart from chance and from another version of the bundler. */
const tolerance = 0.03

/** The code of an entry point, minified, and nothing of other packages. */
const bundled = async (code: string): Promise<string> => {
  const entry = "measured"
  const bundle = await rolldown({
    input: entry,
    external: (id) => id !== entry && !id.startsWith(".") && !isAbsolute(id),
    plugins: [{
      name: entry,
      resolveId: (id) => id === entry ? entry : undefined,
      load: (id) => id === entry ? code : undefined
    }]
  })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  await bundle.close()
  return output.map((chunk) => chunk.type === "chunk" ? chunk.code : "").join("")
}

const measured = async (what: string, code: string): Promise<Measured> => {
  const text = await bundled(code)
  const gzipped = gzipSync(text, { level: constants.Z_BEST_COMPRESSION })
  return { what, minified: Buffer.byteLength(text), gzipped: gzipped.byteLength }
}

const source = (folder: string, path: string): string => JSON.stringify(join(root, "packages", folder, path))

const entryPoints = async (folder: string): Promise<ReadonlyArray<readonly [what: string, code: string]>> => {
  const { exports, name } = JSON.parse(await readFile(join(root, "packages", folder, "package.json"), "utf8")) as {
    readonly name: string
    readonly exports: Readonly<Record<string, string>>
  }
  return Object.entries(exports).filter(([, file]) => file.endsWith(".ts")).map((
    [path, file]
  ) => [`\`${name}${path.slice(1)}\``, `export * from ${source(folder, file)}`])
}

/** Of `@lastro/domain`, by the names that are imported. */
const uses = [
  ["priceOffer", "policyOn", "mostInstallments"],
  ["hierarchyOf", "judgeWithin"],
  ["priceOffer", "hierarchyOf"],
  ["parseCpf", "parseCnpj", "parsePixKey"],
  ["decide", "evolve", "opened"]
].map((names): readonly [what: string, code: string] => [
  names.map((name) => `\`${name}\``).join(", "),
  `export { ${names.join(", ")} } from ${source("domain", "src/index.ts")}`
])

const thousands = (bytes: number): string => (bytes / 1000).toFixed(1)

const table = (head: string, rows: ReadonlyArray<Measured>): string =>
  [
    `| ${head} | minified, kB | and gzipped, kB |`,
    "|---|---:|---:|",
    ...rows.map(({ gzipped, minified, what }) => `| ${what} | ${thousands(minified)} | ${thousands(gzipped)} |`)
  ].join("\n")

const page = (whole: ReadonlyArray<Measured>, parts: ReadonlyArray<Measured>): string =>
  `# Sizes

How much code each entry point of the packages brings with it, beyond \`effect\` and the other packages it imports: bundled by rolldown, minified, gzipped at level 9. Written by \`pnpm sizes\`; the check fails where a figure is off by more than three percent.

${table("entry point, whole", whole)}

And what it takes to import these names of \`@lastro/domain\` only:

${table("names", parts)}
`

/** The figures of a page, by what they are of. */
const figures = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [what, , gzipped] = line.startsWith("| ") ? line.slice(2).split(" | ") : []
      const figure = Number.parseFloat(gzipped ?? "")
      return what === undefined || Number.isNaN(figure) ? [] : [[what, figure]]
    })
  )

const measureAll = (all: ReadonlyArray<readonly [what: string, code: string]>) =>
  Promise.all(all.map(([what, code]) => measured(what, code)))

const points = (await Promise.all(folders.map(entryPoints))).flat()
const [whole, parts] = await Promise.all([measureAll(points), measureAll(uses)])
const file = join(root, "docs", "sizes.md")
const text = page(whole, parts)
if (process.argv.includes("--check")) {
  const written = figures(await readFile(file, "utf8").catch(() => ""))
  const present = figures(text)
  for (const [what, figure] of present) {
    const before = written.get(what)
    if (before !== undefined && Math.abs(figure - before) <= Math.max(before * tolerance, 0.1)) continue
    console.error(`docs/sizes.md: ${what} is ${figure} kB gzipped and not ${before ?? "told"}: run pnpm sizes`)
    process.exitCode = 1
  }
  for (const what of written.keys()) {
    if (present.has(what)) continue
    console.error(`docs/sizes.md: ${what} is no more: run pnpm sizes`)
    process.exitCode = 1
  }
} else await writeFile(file, text)
