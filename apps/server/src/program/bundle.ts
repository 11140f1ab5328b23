import { isAbsolute, join, relative, sep } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import { readSource, type Source } from "./Project.ts"
import { type SourcePlaces, sourcePlaces } from "./sourcePlaces.ts"

/** The module to bundle, and the location of the bundle. */
export interface BundleOptions {
  /** The root folder of the project. */
  readonly root: string
  /** The module to bundle, relative to the root. */
  readonly entry: string
  /**
   * The folder of the bundle, relative to the root. Paths of source files in the bundle are relative to this folder.
   */
  readonly folder: string
  /** Returns the path with which the bundle lazily imports a dependency. `specifier` resolves to `file`. */
  readonly lazyImport: (specifier: string, file: string) => string
}

/** A program as one file. */
export interface Bundle {
  readonly program: string
  readonly places: SourcePlaces
  /** The project's own source files, by their path from the root. */
  readonly sources: ReadonlyMap<string, Source>
  /** The paths of all files in the bundle, from the root. */
  readonly inputs: ReadonlyArray<string>
  /** The modules that the bundle imports. */
  readonly imports: ReadonlyArray<string>
}

const isDependency = (path: string): boolean => path.split(sep).includes("node_modules")

/** Returns a path with `/` as the separator on every system. */
export const posix = (path: string): string => path.split(sep).join("/")

/**
 * Leaves lazy imports of dependencies out of the bundle, so that Node.js loads them. Such a dependency needs its own
 * files, like the embedded database, or is large and rarely used.
 */
const lazyDependencies = ({ lazyImport }: BundleOptions): Plugin => ({
  name: "lazy-dependencies",
  resolveDynamicImport: async function(specifier, importer) {
    if (typeof specifier !== "string") return null
    const found = await this.resolve(specifier, importer)
    return found === null || found.external !== false || !isDependency(found.id)
      ? found
      : { id: lazyImport(specifier, found.id), external: true }
  }
})

/**
 * Collects the project's own source files in `sources`. In the bundle, `import.meta.url` stays the URL of the source
 * file.
 */
const ownSources = ({ folder, root }: BundleOptions, sources: Map<string, Source>): Plugin => ({
  name: "own-sources",
  load: function(path) {
    if (!isAbsolute(path) || isDependency(relative(root, path))) return null
    const source = readSource(path)
    sources.set(posix(relative(root, path)), source)
    const text = source.content.toString()
    if (/import\.meta\.(?!url)/.test(text)) this.error("Only import.meta.url can be bundled")
    const url = `new URL(${JSON.stringify(posix(relative(join(root, folder), path)))}, import.meta.url).href`
    return text.replaceAll("import.meta.url", url)
  }
})

/** Loads `node:http` without an import, which would also load the WebSocket client of Node.js. That takes 40 ms. */
const withoutWebSocket: Plugin = {
  name: "without-web-socket",
  resolveId: (id) => id === "node:http" ? "\0node:http" : null,
  load: (id) => id === "\0node:http" ? `module.exports = process.getBuiltinModule("node:http")` : null
}

/**
 * Escapes each character beyond ASCII. A single one would double the size of the program in memory, and loading it would
 * take a tenth longer.
 */
const toAscii = (program: string): string => {
  if (/\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(program)) {
    throw new Error("A character beyond ASCII after a backslash or in String.raw cannot be bundled")
  }
  return program.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** Bundles a module and its dependencies into one file. Rejects if the module does not compile. */
export const bundle = async (options: BundleOptions): Promise<Bundle> => {
  const { entry, folder, root } = options
  const sources = new Map<string, Source>()
  const build = await rolldown({
    cwd: root,
    input: join(root, entry),
    platform: "node",
    // The conditions of Node.js. By default, the bundler lacks these.
    resolve: { conditionNames: ["module-sync", "node-addons"] },
    // Ignore the compiler options of the project, so that imports used only as types are removed.
    tsconfig: false,
    transform: { target: "node24" },
    plugins: [lazyDependencies(options), withoutWebSocket, ownSources(options, sources)],
    logLevel: "silent"
  })
  const { output: [{ code, dynamicImports, imports, map, modules }] } = await build.generate({
    file: join(root, folder, "program.mjs"),
    format: "esm",
    codeSplitting: false,
    comments: false,
    sourcemap: "hidden"
  }).finally(() => build.close())
  const inputs = Object.entries(modules).filter(([path, { renderedLength }]) => isAbsolute(path) && renderedLength > 0)
  return {
    program: toAscii(code),
    places: sourcePlaces(code, map?.toString() ?? ""),
    sources,
    inputs: inputs.map(([path]) => relative(root, path)),
    imports: [...imports, ...dynamicImports]
  }
}
