import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** The source file and line of each line of a program. */
interface SourcePlaces {
  /** Paths relative to the folder of the program. */
  readonly files: ReadonlyArray<string>
  /** For each line of the program: the index of its file, and its line from 0. Null for a line that the bundler added. */
  readonly places: ReadonlyArray<readonly [file: number, line: number] | null>
}

/** The path of the source places of a program. */
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

let known: { readonly url: string; readonly read: SourcePlaces } | undefined

/** Reads the source places of a program. Keeps them, because failures repeat. */
const readPlaces = (url: string): SourcePlaces => {
  if (known?.url !== url) known = { url, read: JSON.parse(readFileSync(placesPath(fileURLToPath(url)), "utf8")) }
  return known.read
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

/** The position in a program: the folder of the program, the line and the column. */
const position = /([0-9a-f]{32}\/program\.mjs):(\d+):\d+/y

/** The folder of the bundled servers. */
const servers = new URL("../../../../node_modules/.cache/lastro/programs/", import.meta.url).href

/**
 * Replaces each position in a bundled program by its position in the source, for example in a stack trace. Reads no file outside of
 * the folder of the programs.
 */
export const withSourcePlaces = (text: string, programs: string = servers): string => {
  if (!text.includes(programs)) return text
  const [before = "", ...rest] = text.split(programs)
  const replaced = rest.map((part) => {
    position.lastIndex = 0
    const [frame = "", file = "", line] = position.exec(part) ?? []
    const source = toSource(programs + file, Number(line))
    return source === undefined ? programs + part : source + part.slice(frame.length)
  })
  return before + replaced.join("")
}
