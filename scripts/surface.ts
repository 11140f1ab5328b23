import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { parseSync } from "oxc-parser"
import { entryPointsOf, Failure, folders, report, root } from "./execute.ts"

/** A name that a module exports. */
interface Exported {
  /** The declaration spaces of TypeScript. A name can be declared as a value and as a type. */
  readonly kinds: ReadonlyArray<"value" | "type">
  /** True if at least one of its declarations has a doc comment. */
  readonly isDocumented: boolean
  readonly file: string
}

const resolveSource = (file: string, source: string): string => {
  const path = join(dirname(file), source)
  if (source.startsWith(".") && existsSync(path)) return path
  throw new Error(`${file} exports from ${source}, which is not a file of its package`)
}

const readSurface = (file: string): ReadonlyMap<string, Exported> => {
  const source = readFileSync(file, "utf8")
  const { comments, errors, module, program } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const surface = new Map<string, Exported>()
  const add = (name: string, { file, isDocumented, kinds }: Exported): void => {
    const known = surface.get(name)
    surface.set(name, {
      kinds: [...new Set([...known?.kinds ?? [], ...kinds])].toSorted(),
      isDocumented: isDocumented || known?.isDocumented === true,
      file
    })
  }
  const ends = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*")).map(({ end }) => end)
  const classes = program.body.filter((statement) =>
    statement.type === "ExportNamedDeclaration" && statement.declaration?.type === "ClassDeclaration"
  )
  for (const { entries, start } of module.staticExports) {
    const isDocumented = ends.some((end) => end <= start && source.slice(end, start).trim() === "")
    const isClass = classes.some((statement) => statement.start === start)
    for (const { exportName, importName, isType, moduleRequest } of entries) {
      const name = exportName.name ?? ""
      if (exportName.kind === "Default") throw new Error(`${file} has a default export`)
      if (moduleRequest === null) {
        add(name, { kinds: isClass ? ["value", "type"] : [isType ? "type" : "value"], isDocumented, file })
        continue
      }
      const from = surfaceOf(resolveSource(file, moduleRequest.value))
      if (importName.kind === "Name") {
        const exported = from.get(importName.name ?? "")
        if (exported === undefined) throw new Error(`${file} exports ${name}, which has no declaration`)
        add(name, isType ? { ...exported, kinds: ["type"] } : exported)
      } else {
        if (importName.kind === "All") add(name, { kinds: ["value"], isDocumented, file })
        for (const [member, exported] of from) add(name === "" ? member : `${name}.${member}`, exported)
      }
    }
  }
  return surface
}

const surfacesOfFiles = new Map<string, ReadonlyMap<string, Exported>>()

/**
 * Lists the exported names of a module with their kinds and declaring files. A member of a namespace is listed as
 * `Namespace.member`. Reads each file once.
 */
export const surfaceOf = (file: string): ReadonlyMap<string, Exported> => {
  const surface = surfacesOfFiles.get(file) ?? readSurface(file)
  surfacesOfFiles.set(file, surface)
  return surface
}

/** Returns packages/PACKAGE/surface.txt of each package. Reports exports without a doc comment. */
export const surfaces = async (): Promise<Readonly<Record<string, string>>> => {
  const problems = new Set<string>()
  const pages = await Promise.all(folders.map(async (folder) => {
    const sections = (await entryPointsOf(folder)).map(([name, file]) => {
      const surface = [...surfaceOf(file)].toSorted(([a], [b]) => a < b ? -1 : 1)
      for (const [exported, { file, isDocumented }] of surface) {
        if (!isDocumented) problems.add(`${relative(root, file)}: ${exported} has no doc comment`)
      }
      return `# ${name}\n\n${surface.map(([exported, { kinds }]) => `${exported}: ${kinds.join(", ")}\n`).join("")}`
    })
    return [`packages/${folder}/surface.txt`, sections.join("\n")] as const
  }))
  report([...problems].map((problem) => new Failure(problem)))
  return Object.fromEntries(pages)
}
