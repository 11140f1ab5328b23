// Builds a package in its folder before it is packed: compiles it and the packages that it imports, and writes
// dist/bundle, the few files that Node.js loads. The package has hundreds of modules, one per concept, and Node.js
// needs about a millisecond of processor time to find and compile each. Bundlers use the modules of tsc instead
// (condition "module"), because they can leave single ones out. A package whose published exports name no bundle gets
// none.
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, join } from "node:path"
import { parseSync } from "oxc-parser"
import { type Plugin, rolldown } from "rolldown"
import { findCompiler, run } from "./execute.ts"

const folder = process.cwd()

/** The sources of a package's entry points, by the name of their bundle. */
const readEntries = async (): Promise<Record<string, string>> => {
  const { exports } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>
  }
  const sources = Object.values(exports).filter((source) => source.endsWith(".ts"))
  return Object.fromEntries(sources.map((source) => [source.replace("./src/", "").replace(/\.ts$/, ""), source]))
}

/** Returns the module that declares each name of an entry of `effect`. Names that are not a module are missing. */
const readModules = async (specifier: string): Promise<ReadonlyMap<string, string>> => {
  const file = createRequire(join(folder, "package.json")).resolve(specifier)
  const exported = parseSync(file, await readFile(file, "utf8")).module.staticExports
  return new Map(
    exported.flatMap(({ entries }) =>
      entries.flatMap(({ exportName, importName, moduleRequest }) => {
        const source = moduleRequest?.value
        if (source === undefined || exportName.name === null) return []
        const module = `${specifier}/${source.replace(/^\.\//, "").replace(/\.js$/, "")}`
        return importName.kind === "All" ? [[exportName.name, module] as const] : []
      })
    )
  )
}

/**
 * Replaces imports from an entry of `effect` by imports of single modules. The entry `effect` loads 247 modules, of
 * which 100 are unused.
 */
const narrowImports = async (): Promise<Plugin> => {
  const specifiers = ["effect", "effect/http", "effect/http-api", "effect/sql", "effect/testing"]
  const entries = new Map(await Promise.all(specifiers.map(async (name) => [name, await readModules(name)] as const)))
  return {
    name: "narrow-imports",
    transform: (code, id) => {
      let narrowed = code
      for (
        const { end, entries: names, moduleRequest, start } of parseSync(id, code).module.staticImports.toReversed()
      ) {
        const modules = entries.get(moduleRequest.value)
        if (modules === undefined) continue
        const imports = names.filter(({ isType }) => !isType).map(({ importName, localName }) => {
          const name = importName.name ?? ""
          const module = modules.get(name)
          return module === undefined
            ? `import { ${name} as ${localName.value} } from "effect/Function"`
            : `import * as ${localName.value} from "${module}"`
        })
        // Keep the number of lines, so that the source map stays correct.
        const lines = code.slice(start, end).replaceAll(/[^\n]/g, "")
        narrowed = `${narrowed.slice(0, start)}${imports.join("; ")}${lines}${narrowed.slice(end)}`
      }
      return narrowed === code ? null : { code: narrowed, map: null }
    }
  }
}

/**
 * The chunks of the domain: one for values and input, and one for everything else that two entries share. Without them,
 * each set of entries would have its own chunk: 166 files instead of 28. The root of the testkit must not share a chunk
 * with the entries that load fast-check.
 */
const groups = basename(folder) === "domain"
  ? [
    { name: "values", test: /\/src\/(?:input|values)\//, priority: 1 },
    { name: "shared", test: /\/src\//, minShareCount: 2 }
  ]
  : undefined

const writeBundle = async (): Promise<void> => {
  const build = await rolldown({
    cwd: folder,
    input: await readEntries(),
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    platform: "neutral",
    plugins: [await narrowImports()]
  })
  const { output } = await build.write({
    dir: join(folder, "dist", "bundle"),
    cleanDir: true,
    format: "es",
    sourcemap: true,
    chunkFileNames: "chunks/[name].js",
    ...(groups === undefined ? {} : { codeSplitting: { groups } })
  })
  console.log(`dist/bundle: ${output.filter(({ type }) => type === "chunk").length} files`)
}

// The compiler of the check of types, which has usually compiled the package before.
await run({}, process.env["LASTRO_TSC"] ?? await findCompiler(), "-b", folder, "--checkers", "1")
const manifest = await readFile(join(folder, "package.json"), "utf8")
if (manifest.includes("./dist/bundle/")) await writeBundle()
