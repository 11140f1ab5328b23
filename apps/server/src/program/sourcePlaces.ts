import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** The source file and line of each line of a bundled program. */
export interface SourcePlaces {
  /** The paths of the source files, relative to the folder of the program. */
  readonly files: ReadonlyArray<string>
  /**
   * For each line of the program: the index of its source file, and its line number there, starting at 0. Null for a
   * line that the bundler added.
   */
  readonly places: ReadonlyArray<readonly [file: number, line: number] | null>
}

/** Returns the path of the file with the {@link SourcePlaces} of a program. */
export const placesPath = (program: string): string => join(dirname(program), "places.json")

/** Computes the source places of a program from its source map. */
export const sourcePlaces = (program: string, map: string): SourcePlaces => {
  const payload = JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]
  const sourceMap = new SourceMap(payload)
  const indexes = new Map(payload.sources.map((source, index) => [source, index]))
  const places = program.split("\n").map((line, index) => {
    const entry = sourceMap.findEntry(index, line.search(/\S|$/))
    const file = "originalSource" in entry ? indexes.get(entry.originalSource) : undefined
    return file === undefined || !("originalLine" in entry) ? null : [file, entry.originalLine] as const
  })
  return { files: payload.sources, places }
}

let cached: { readonly url: string; readonly read: SourcePlaces } | undefined

/** Reads the source places of a program. Keeps them in memory, because the next failure needs them again. */
const readPlaces = (url: string): SourcePlaces => {
  if (cached?.url !== url) cached = { url, read: JSON.parse(readFileSync(placesPath(fileURLToPath(url)), "utf8")) }
  return cached.read
}

const toSource = (url: string, line: number): string | undefined => {
  try {
    const { files, places } = readPlaces(url)
    const [file, sourceLine] = places[line - 1] ?? []
    if (file === undefined || sourceLine === undefined) return undefined
    return `${pathToFileURL(join(dirname(fileURLToPath(url)), files[file] ?? ""))}:${sourceLine + 1}`
  } catch {
    return undefined
  }
}

/** The URL of the program that this process runs. Undefined if it runs the source files. */
let running: string | undefined

/** Sets the URL of the program whose positions {@link withSourcePlaces} replaces. */
export const setRunningProgram = (url: string | undefined): void => {
  running = url
}

/**
 * Replaces each position in the bundled program, for example in a stack trace, with the position in the source file.
 * The source files need not exist.
 */
export const withSourcePlaces = (text: string, program: string | undefined = running): string => {
  if (program === undefined || !text.includes(program)) return text
  const [before = "", ...rest] = text.split(`${program}:`)
  const replaced = rest.map((part) => {
    const [position = "", line] = /^(\d+):\d+/.exec(part) ?? []
    const source = toSource(program, Number(line))
    return source === undefined ? `${program}:${part}` : source + part.slice(position.length)
  })
  return before + replaced.join("")
}
