import { build, type Plugin } from "esbuild"
import { readFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"
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
  /** The contents of the project's own source files, by their path from the root. */
  readonly sources: ReadonlyMap<string, Uint8Array>
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
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^/ }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (kind !== "dynamic-import" || pluginData === "resolving") return undefined
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: "resolving" })
      return found.external || !isDependency(found.path)
        ? found
        : { path: lazyImport(path, found.path), external: true }
    })
  }
})

/**
 * Collects the contents of the project's own source files in `sources`. In the bundle, `import.meta.url` stays the URL
 * of the source file.
 */
const ownSources = ({ folder, root }: BundleOptions, sources: Map<string, Uint8Array>): Plugin => ({
  name: "own-sources",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      if (isDependency(relative(root, path))) return undefined
      const content = await readFile(path)
      sources.set(posix(relative(root, path)), content)
      const text = content.toString()
      if (/import\.meta\.(?!url)/.test(text)) return { errors: [{ text: "Only import.meta.url can be bundled" }] }
      const url = `new URL(${JSON.stringify(posix(relative(join(root, folder), path)))}, import.meta.url).href`
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" }
    })
  }
})

/** Bundles a module and its dependencies into one file. Rejects if the module does not compile. */
export const bundle = async (options: BundleOptions): Promise<Bundle> => {
  const { entry, folder, root } = options
  const sources = new Map<string, Uint8Array>()
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(root, folder, "program.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    // The conditions of Node.js. By default, the bundler adds `module`, which Node.js does not have.
    conditions: ["module-sync", "node-addons"],
    // Ignore the compiler options of the project, so that imports used only as types are removed.
    tsconfigRaw: {},
    // Define `require`, which CommonJS modules call for the modules of Node.js.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`
    },
    legalComments: "none",
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
    metafile: true,
    write: false,
    plugins: [lazyDependencies(options), ownSources(options, sources)]
  })
  const outputOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ""
  const program = outputOf(".mjs")
  const outputs = Object.values(metafile.outputs)
  const inputs = outputs.flatMap(({ inputs }) => Object.entries(inputs))
  return {
    program,
    places: sourcePlaces(program, outputOf(".map")),
    sources,
    inputs: inputs.flatMap(([path, { bytesInOutput }]) => bytesInOutput > 0 ? [path] : []),
    imports: outputs.flatMap(({ imports }) => imports.map(({ path }) => path))
  }
}
