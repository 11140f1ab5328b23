import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Comment, type ExportNamedDeclaration, parseSync, type Statement } from "oxc-parser"

/** A declaration space of TypeScript. A name can be declared as a value and as a type. */
type Kind = "value" | "type"

/** A name that a module exports. */
interface Exported {
  readonly kinds: ReadonlySet<Kind>
  /** True if at least one of its declarations has a doc comment. */
  readonly isDocumented: boolean
  /** The file that declares the name. */
  readonly file: string
}

type Surface = ReadonlyMap<string, Exported>

/**
 * Lists the exported names of a module with their kinds and declaring files. A member of a namespace is listed as
 * `Namespace.member`.
 */
export const surfaceOf = (file: string): Surface => {
  const source = readFileSync(file, "utf8")
  const { comments, errors, program } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  const hasDocComment = docCommentFinder(source, comments)
  const local = new Map<string, Exported>()
  for (const statement of program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    for (const [name, kinds] of declarationsIn(declared)) {
      add(local, name, { kinds, isDocumented: hasDocComment(statement), file })
    }
  }
  const surface = new Map<string, Exported>()
  for (const statement of program.body) {
    switch (statement.type) {
      case "ExportNamedDeclaration": {
        for (const [name] of declarationsIn(statement.declaration)) add(surface, name, lookUp(local, name, file))
        const from = statement.source === null ? local : surfaceOf(resolveSource(file, statement.source.value))
        for (const [name, exported] of exportsBySpecifier(statement, from, file)) add(surface, name, exported)
        break
      }
      case "ExportAllDeclaration": {
        const from = surfaceOf(resolveSource(file, statement.source.value))
        const namespace = statement.exported === null ? undefined : nameOf(statement.exported)
        if (namespace === undefined) {
          for (const [name, exported] of from) add(surface, name, exported)
        } else {
          add(surface, namespace, { kinds: new Set(["value"]), isDocumented: hasDocComment(statement), file })
          for (const [name, exported] of from) add(surface, `${namespace}.${name}`, exported)
        }
        break
      }
      case "ExportDefaultDeclaration":
        throw new Error(`${file} has a default export`)
    }
  }
  return surface
}

const add = (surface: Map<string, Exported>, name: string, { file, isDocumented, kinds }: Exported): void => {
  const known = surface.get(name)
  surface.set(name, {
    kinds: new Set([...known?.kinds ?? [], ...kinds]),
    isDocumented: isDocumented || known?.isDocumented === true,
    file
  })
}

const lookUp = (from: Surface, name: string, file: string): Exported => {
  const exported = from.get(name)
  if (exported === undefined) throw new Error(`${file} exports ${name}, which has no declaration`)
  return exported
}

const resolveSource = (file: string, source: string): string => {
  const path = join(dirname(file), source)
  if (!source.startsWith(".") || !existsSync(path)) {
    throw new Error(`${file} exports from ${source}, which is not a file of its package`)
  }
  return path
}

type Named = { readonly type: string; readonly name?: string; readonly value?: string }

const nameOf = ({ name, value }: Named): string => name ?? value ?? ""

const exportsBySpecifier = (
  { exportKind, specifiers }: ExportNamedDeclaration,
  from: Surface,
  file: string
): ReadonlyArray<readonly [string, Exported]> =>
  specifiers.map((specifier) => {
    const exported = lookUp(from, nameOf(specifier.local), file)
    const typeOnly = exportKind === "type" || specifier.exportKind === "type"
    return [nameOf(specifier.exported), typeOnly ? { ...exported, kinds: new Set<Kind>(["type"]) } : exported]
  })

type Declared = ReadonlyArray<readonly [name: string, kinds: ReadonlySet<Kind>]>

const declarationsIn = (statement: Statement | ExportNamedDeclaration["declaration"]): Declared => {
  switch (statement?.type) {
    case "VariableDeclaration":
      return statement.declarations.flatMap(({ id }) =>
        id.type === "Identifier" ? [[id.name, new Set<Kind>(["value"])]] : []
      )
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return [[statement.id?.name ?? "", new Set<Kind>(["value"])]]
    case "ClassDeclaration":
      return [[statement.id?.name ?? "", new Set<Kind>(["value", "type"])]]
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration":
      return [[statement.id.name, new Set<Kind>(["type"])]]
    default:
      return []
  }
}

const docCommentFinder = (text: string, comments: ReadonlyArray<Comment>) => {
  const ends = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*")).map(({ end }) => end)
  return ({ start }: Statement): boolean => ends.some((end) => end <= start && text.slice(end, start).trim() === "")
}
