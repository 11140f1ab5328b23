import { readFile } from "node:fs/promises"

const textOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8")

const document = () => textOf("../../../../docs/privacy.md")

/** Returns the names in the first cells of the tables of a section. */
const fieldsIn = (section: string): ReadonlyArray<string> =>
  section.split("\n").filter((line) => line.startsWith("| `")).flatMap((line) =>
    Array.from((line.split("|")[1] ?? "").matchAll(/`([a-z_0-9]+)`/g), ([, name = ""]) => name)
  )

/** Returns the columns in a row of the table of tables. The name of a column is followed by a colon. */
const columnsInRow = (row: string): ReadonlyArray<string> => {
  const [, table = "", , personal = ""] = row.split("|")
  return Array.from(
    personal.matchAll(/`([a-z_0-9]+)`:/g),
    ([, name]) => `${table.replaceAll(/[` ]/g, "")}.${name}`
  )
}

/** Returns the columns with personal data, which docs/privacy.md lists, each as `table.column`. */
const personalColumns = async (): Promise<ReadonlyArray<string>> => {
  const sections = (await document()).split(/^#{2,3} /m)
  return sections.flatMap((section) => {
    if (section.startsWith("Other tables")) {
      return section.split("\n").filter((line) => line.startsWith("| `")).flatMap(columnsInRow)
    }
    const [, table] = /^`([a-z_]+)`\n/.exec(section) ?? []
    return table === undefined ? [] : fieldsIn(section).map((column) => `${table}.${column}`)
  })
}

/** Returns the columns in docs/privacy.md and in withoutPersonalData.txt, each as `table.column`. */
export const documentedColumns = async (): Promise<ReadonlyArray<string>> => [
  ...await personalColumns(),
  ...Array.from((await textOf("withoutPersonalData.txt")).matchAll(/^([a-z_]+): (.*)$/gm)).flatMap(
    ([, table, columns = ""]) => columns.split(" ").map((column) => `${table}.${column}`)
  )
]

/** Returns the columns of a rendered schema, each as `table.column`. */
export const columnsOf = (schema: string): ReadonlyArray<string> => {
  let table = ""
  return schema.split("\n").flatMap((line) => {
    const [, name] = /^([a-z_]+) /.exec(line) ?? []
    if (name !== undefined) table = name
    const [, column] = /^ {2}([a-z_0-9]+) (?!.*FOREIGN KEY)/.exec(line) ?? []
    return column === undefined || column === "constraint" ? [] : [`${table}.${column}`]
  })
}

/** Returns the KYC fields that docs/privacy.md lists. */
export const documentedKycFields = async (): Promise<ReadonlyArray<string>> => {
  const [, section = ""] = (await document()).split("## Fields of the KYC")
  return fieldsIn(section)
}
