/** A schema of the OpenAPI document, with the keywords that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly const?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
}

/**
 * The types to which references point instead of the type of the schema. `LastroEvent` is an event of the feed, whose
 * data has the type of the event.
 */
const renamed: Readonly<Record<string, string>> = { Event: "LastroEvent" }

/** The names of types that differ from the names of their schemas. In the schema `Event`, the data has no type. */
const declaredNames: Readonly<Record<string, string>> = { Event: "EventEnvelope" }

/** Returns the schema that a reference of the document names. */
export const resolveSchema = (document: object, schema: Schema): Schema => {
  if (schema.$ref === undefined) return schema
  const path = schema.$ref.replace("#/", "").split("/")
  const resolved = path.reduce<unknown>((value, key) => Object(value)[key], document)
  if (resolved === undefined) throw new Error(`${schema.$ref} does not exist`)
  return resolved as Schema
}

/** Returns the name of the type that a reference to a component names. Undefined for any other schema. */
export const typeNameOf = ({ $ref = "" }: Schema): string | undefined => {
  const name = /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1]
  return name === undefined ? undefined : renamed[name] ?? name
}

/** Breaks a text into lines of at most `width` characters. Keeps its line breaks. */
const wrap = (text: string, width: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((paragraph) => {
    const lines = [""]
    for (const word of paragraph.split(" ")) {
      const line = lines.at(-1) ?? ""
      if (line !== "" && line.length + 1 + word.length > width) lines.push(word)
      else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
    }
    return lines
  })

export const docComment = (text: string | undefined, indent: string): string => {
  if (text === undefined || text === "") return ""
  const safe = text.trim().replaceAll("*/", "*\\/")
  const single = `${indent}/** ${safe} */`
  if (single.length <= 120 && !safe.includes("\n")) return `${single}\n`
  const lines = wrap(safe, 117 - indent.length)
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

const propertyName = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)

/** Joins the members of a union. A long union has one member per line. */
export const union = (members: ReadonlyArray<string>, indent: string): string => {
  const distinct = [...new Set(members)]
  const line = distinct.join(" | ")
  return line.length + indent.length <= 70 || distinct.length === 1
    ? line
    : distinct.map((member) => `\n${indent}  | ${member}`).join("")
}

/** Writes a field or a type: its head and its type, which may start on the next line. */
export const field = (head: string, type: string): string => `${head}${type.startsWith("\n") ? "" : " "}${type}\n`

/** Returns the TypeScript types of the schemas of a document. */
export const typesOf = (document: { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } }) => {
  const members = ({ properties = {}, required = [] }: Schema, indent: string): string =>
    Object.entries(properties).map(([name, schema]) => {
      const comment = docComment(schema.description ?? resolveSchema(document, schema).description, `${indent}  `)
      const mark = required.includes(name) ? "" : "?"
      return `${comment}${field(`${indent}  readonly ${propertyName(name)}${mark}:`, render(schema, `${indent}  `))}`
    }).join("")

  /** The named enums, largest first. Names of shorter ones would hide values that a reader wants to see. */
  const namedEnums = Object.entries(document.components.schemas)
    .flatMap(([name, { enum: values = [] }]) => values.length < 8 ? [] : [{ name: renamed[name] ?? name, values }])
    .toSorted((a, b) => b.values.length - a.values.length)

  /** Renders an enum. If it contains all values of a named enum, it is a union of this name and the other values. */
  const renderEnum = (values: ReadonlyArray<string>, indent: string, own?: string): string => {
    const named = namedEnums.find((known) =>
      known.name !== own && known.values.every((value) => values.includes(value))
    )
    const others = named === undefined ? values : values.filter((value) => !named.values.includes(value))
    return union([...named === undefined ? [] : [named.name], ...others.map((value) => JSON.stringify(value))], indent)
  }

  /** Renders a schema as a type. */
  const render = (schema: Schema, indent = ""): string => {
    const name = typeNameOf(schema)
    if (name !== undefined) return name
    if (schema.$ref !== undefined) return render(resolveSchema(document, schema), indent)
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return renderEnum(schema.enum, indent)
    if (schema.anyOf !== undefined) return union(schema.anyOf.map((member) => render(member, indent)), indent)
    if (schema.type === "array") {
      const item = render(schema.items ?? {}, indent)
      return `ReadonlyArray<${item}>`
    }
    if (schema.type === "object" && schema.properties !== undefined) return `{\n${members(schema, indent)}${indent}}`
    if (typeof schema.additionalProperties === "object") {
      return `Readonly<Record<string, ${render(schema.additionalProperties, indent)}>>`
    }
    if (schema.type === "object") return "Readonly<Record<string, never>>"
    if (schema.type === "integer" || schema.type === "number") return "number"
    if (schema.type === "string" || schema.type === "boolean" || schema.type === "null") return schema.type
    throw new Error(`no type for ${JSON.stringify(schema)}`)
  }

  /** Declares a component as an interface or a type. */
  const declare = (name: string, schema: Schema): string => {
    const declared = declaredNames[name] ?? name
    const comment = docComment(schema.description ?? `The type \`${name}\` of the API`, "")
    if (schema.type !== "object" || schema.properties === undefined) {
      const type = schema.enum === undefined ? render(schema) : renderEnum(schema.enum, "", declared)
      return `${comment}${field(`export type ${declared} =`, type)}`
    }
    const parents = (schema.allOf ?? []).flatMap((parent) => typeNameOf(parent) ?? [])
    const parent = parents.length === 0 ? "" : ` extends ${parents.join(", ")}`
    return `${comment}export interface ${declared}${parent} {\n${members(schema, "")}}\n`
  }

  return { declare, render }
}
