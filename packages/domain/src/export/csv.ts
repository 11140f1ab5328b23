import { type Schema, SchemaAST } from "effect"
import { valueAt } from "../input/valueAt.ts"

/** The format of a CSV file: the separator of cells, the decimal mark, and the text before the header. */
export interface CsvFormat {
  readonly separator: "," | ";"
  readonly decimalMark: "." | ","
  /** Empty, or a byte order mark. */
  readonly mark: string
}

/** The CSV format for each language. Spreadsheets in Portuguese expect semicolons and decimal commas. */
export const csvFormats = {
  en: { separator: ",", decimalMark: ".", mark: "" },
  "pt-BR": { separator: ";", decimalMark: ",", mark: "\ufeff" }
} as const satisfies Readonly<Record<string, CsvFormat>>

/** A column of a CSV file: its name, and the path of its value in a record. */
export interface CsvColumn {
  readonly name: string
  readonly path: ReadonlyArray<string>
}

/** Returns the fields of an object schema. Undefined for the schema of one cell: a text, a number, an array, a map. */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> | undefined => {
  if (SchemaAST.isUnion(ast)) {
    const [some, ...others] = ast.types.filter((type) => !SchemaAST.isNull(type))
    return some === undefined || others.length > 0 ? undefined : fieldsOf(some)
  }
  return SchemaAST.isObjects(ast) && ast.indexSignatures.length === 0 ? ast.propertySignatures : undefined
}

/**
 * The columns of a CSV file are the innermost fields of its records, in order. The name of a column is the path of its
 * field, joined with `_`. An array is one column, and so is an object without fixed fields. `omitted` names columns to
 * leave out.
 * @rule CSV-01
 */
export const csvColumns = ({ ast }: Schema.Top, omitted: ReadonlyArray<string> = []): ReadonlyArray<CsvColumn> => {
  const leaves = (inner: SchemaAST.AST, path: ReadonlyArray<string>): ReadonlyArray<CsvColumn> =>
    fieldsOf(inner)?.flatMap(({ name, type }) => leaves(type, [...path, String(name)])) ??
      [{ name: path.join("_"), path }]
  return leaves(SchemaAST.toType(ast), []).filter(({ name }) => !omitted.includes(name))
}

/**
 * A text that begins with `=`, `+`, `-` or `@`, the full-width form of one of them, a tab or a line break gets an
 * apostrophe in front. Otherwise a spreadsheet would evaluate it as a formula. Numbers get none.
 * @rule CSV-02
 */
export const withoutFormula = (text: string): string =>
  /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/.test(text) ? `'${text}` : text

/** Returns the content of a cell: null is empty, and an array or an object is JSON text. */
const contentOf = (value: unknown, { decimalMark }: CsvFormat): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return withoutFormula(value)
  if (typeof value === "number") return String(value).replace(".", decimalMark)
  return JSON.stringify(value)
}

/**
 * A cell with a separator, a quotation mark or a line break is enclosed in quotation marks, and its quotation marks are
 * doubled (RFC 4180 §2).
 * @rule CSV-03
 */
export const quoteCell = (content: string, { separator }: CsvFormat): string =>
  content.includes(separator) || /["\r\n]/.test(content) ? `"${content.replaceAll("\"", "\"\"")}"` : content

const line = (contents: ReadonlyArray<string>, format: CsvFormat): string =>
  `${contents.map((content) => quoteCell(content, format)).join(format.separator)}\r\n`

/** Returns the first line of a CSV file: the names of its columns. */
export const csvHeader = (columns: ReadonlyArray<CsvColumn>, format: CsvFormat): string =>
  format.mark + line(columns.map(({ name }) => name), format)

/** Returns the line of a record. Every line ends with CR and LF. */
export const csvLine = (record: unknown, columns: ReadonlyArray<CsvColumn>, format: CsvFormat): string =>
  line(columns.map(({ path }) => contentOf(valueAt(record, path), format)), format)
