import { build, type Plugin } from "esbuild"
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { digestOf, type Manifest, manifestPath, programPath } from "./Manifest.ts"
import { type Project } from "./Project.ts"
import { placesPath, sourcePlaces } from "./sourcePlaces.ts"

/** Number of programs that are kept. A process that starts at the same time may load the last one but one. */
const kept = 3

const isDependency = (path: string): boolean => path.split(sep).includes("node_modules")

const posix = (path: string): string => path.split(sep).join("/")

/**
 * Leaves the lazy imports of dependencies to Node.js, such as that of the embedded database: they need their own files, or are
 * large and rarely used.
 */
const lazyDependencies = (folder: string): Plugin => ({
  name: "lazy-dependencies",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^/ }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (kind !== "dynamic-import" || pluginData === "resolving") return undefined
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: "resolving" })
      return found.external || !isDependency(found.path)
        ? found
        : { path: posix(relative(folder, found.path)), external: true }
    })
  }
})

/** Reads the source files of the project. In the bundle, `import.meta.url` remains the URL of the source file. */
const ownSources = ({ root }: Project, folder: string, contents: Map<string, Uint8Array>): Plugin => ({
  name: "own-sources",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      if (isDependency(relative(root, path))) return undefined
      const content = await readFile(path)
      contents.set(posix(relative(root, path)), content)
      const text = content.toString()
      if (/import\.meta\.(?!url)/.test(text)) return { errors: [{ text: "Only import.meta.url can be bundled" }] }
      const url = `new URL(${JSON.stringify(posix(relative(folder, path)))}, import.meta.url).href`
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" }
    })
  }
})

/** Writes a file under a temporary name and renames it, so that no reader sees a part of it. */
const replaceFile = async (path: string, content: Uint8Array | string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, content)
  await rename(draft, path)
}

const removeOld = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const paths = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
  const aged = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  const old = aged.toSorted((a, b) => b.at - a.at).slice(kept)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}

/** Bundles a project into one file, and writes the file and its manifest. Rejects if the project does not compile. */
export const bundleProgram = async (project: Project): Promise<void> => {
  const contents = new Map<string, Uint8Array>()
  // Every program is in a folder of this depth, so relative paths do not depend on its name.
  const folder = dirname(programPath(project, "digest"))
  const { outputFiles } = await build({
    absWorkingDir: project.root,
    entryPoints: [project.entry],
    outfile: programPath(project, "digest"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    // The conditions of Node.js. Without this setting, the condition `module` would apply, which Node.js does not have.
    conditions: ["module-sync", "node-addons"],
    // Without the compiler options of the project, imports that are used only as types are removed.
    tsconfigRaw: {},
    // CommonJS modules call `require` for the modules of Node.js.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`
    },
    legalComments: "none",
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
    write: false,
    plugins: [lazyDependencies(folder), ownSources(project, folder, contents)]
  })
  await Promise.all(project.others.map(async (file) => contents.set(file, await readFile(join(project.root, file)))))
  const [map = "", program = ""] = [".map", ".mjs"].map((end) =>
    outputFiles.find(({ path }) => path.endsWith(end))?.text
  )
  const files = [...contents.keys()].toSorted()
  const digest = digestOf(files, (file) => contents.get(file) ?? new Uint8Array())
  const path = programPath(project, digest)
  await replaceFile(placesPath(path), JSON.stringify(sourcePlaces(program, map)))
  await replaceFile(path, program)
  await replaceFile(manifestPath(project), JSON.stringify({ digest, files } satisfies Manifest))
  await removeOld(join(project.root, project.programs))
}
