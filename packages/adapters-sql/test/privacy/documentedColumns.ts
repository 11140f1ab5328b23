import { readFile } from "node:fs/promises"

const document = () => readFile(new URL("../../../../docs/privacy.md", import.meta.url), "utf8")

const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/`([a-z_0-9 ]+)`/g), ([, names = ""]) => names.split(" ")).flat()

/** Returns the names in the first cells of the tables of a section, and in its list of columns without personal data. */
const fieldsIn = (section: string): ReadonlyArray<string> =>
  section.split("\n").flatMap((line) =>
    line.startsWith("| `")
      ? namesIn(line.split("|")[1] ?? "")
      : line.startsWith("No personal data:")
      ? namesIn(line)
      : []
  )

/** Returns the columns in a row of the table of tables. A name with personal data is followed by a colon. */
const columnsInRow = (row: string): ReadonlyArray<string> => {
  const [, table = "", , personal = "", others = ""] = row.split("|")
  const columns = [...Array.from(personal.matchAll(/`([a-z_0-9]+)`:/g), ([, name]) => name), ...namesIn(others)]
  return namesIn(table).flatMap((name) => columns.map((column) => `${name}.${column}`))
}

/** Returns the columns that docs/privacy.md lists, each as `table.column`. */
export const documentedColumns = async (): Promise<ReadonlyArray<string>> => {
  const sections = (await document()).split(/^#{2,3} /m)
  return sections.flatMap((section) => {
    if (section.startsWith("Other tables")) {
      return section.split("\n").filter((line) => line.startsWith("| `")).flatMap(columnsInRow)
    }
    const [, table] = /^`([a-z_]+)`\n/.exec(section) ?? []
    return table === undefined ? [] : fieldsIn(section).map((column) => `${table}.${column}`)
  })
}

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
