import { Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { parseText } from "../input/Text.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { maxListedProblems, ValidationFailed } from "../input/ValidationFailed.ts"
import { parseCalendarDate } from "../values/CalendarDate.ts"
import { type Centavos, centavos } from "../values/Centavos.ts"
import { parseTimestamp } from "../values/parseTimestamp.ts"

/** A line of a lender's statement. The amounts of a reversal are negative. */
export interface StatementLine {
  /** The lender's reference of the contract. */
  readonly reference: string
  readonly paid_amount: Centavos
  readonly commission_amount: Centavos
}

/** The columns of a statement, in order. */
const statementColumns = ["reference", "paid_amount", "commission_amount", "paid_at"] as const

/** Maximum length of a statement in characters. */
export const maxStatementLength = 1024 * 1024

/** Maximum number of lines of a statement, without the header. */
export const maxStatementLines = 20_000

/** Splits a line into cells (RFC 4180 §2). Returns undefined if a quotation mark is misplaced. */
const cellsOf = (line: string, separator: string): ReadonlyArray<string> | undefined => {
  if (!line.includes("\"")) return line.split(separator)
  const cells: Array<string> = []
  let rest = line
  for (;;) {
    const quoted = /^"(?:[^"]|"")*"/.exec(rest)?.[0]
    const separatorAt = rest.indexOf(separator)
    const end = quoted?.length ?? (separatorAt < 0 ? rest.length : separatorAt)
    const cell = rest.slice(0, end)
    if (quoted === undefined && cell.includes("\"")) return undefined
    cells.push(quoted === undefined ? cell : cell.slice(1, -1).replaceAll("\"\"", "\""))
    if (end === rest.length) return cells
    if (rest[end] !== separator) return undefined
    rest = rest.slice(end + 1)
  }
}

/** Parses a cell that is not empty. */
type CellParser<A> = (text: string) => Result.Result<A, Problem>

const parseAmount: CellParser<Centavos> = (input) => {
  const [text, sign = "", whole = "", fraction = ""] = /^(-?)(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(input.trim()) ?? []
  return text === undefined
    ? Result.fail(invalidFormat("amount such as 1234.56"))
    : Result.succeed(centavos(Number(`${sign}${whole}${fraction.padEnd(2, "0")}`)))
}

const parsePaidAt: CellParser<string> = (input) => {
  const parsed: Result.Result<string, Problem> = input.includes("T") ? parseTimestamp(input) : parseCalendarDate(input)
  return Result.mapError(
    parsed,
    (failed) => failed.code === "INVALID_FORMAT" ? invalidFormat("YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ") : failed
  )
}

const parseAnyText = parseText({ min: 1, max: 200 })

/** Parses a reference. Visible ASCII is not normalised, because that would take most of the time of a large file. */
const parseReference: CellParser<string> = (input) =>
  /^[!-~]{1,200}$/.test(input) ? Result.succeed(input) : parseAnyText(input)

/** Maximum number of remembered payment times. */
const maxRemembered = 1_000

/** Creates a parser that remembers the accepted times, because most lines of a file repeat one of a few days. */
const rememberPaidAt = (): CellParser<string> => {
  const accepted = new Set<string>()
  return (input) => {
    if (accepted.has(input)) return Result.succeed(input)
    const parsed = parsePaidAt(input)
    if (Result.isSuccess(parsed) && accepted.size < maxRemembered) accepted.add(input)
    return parsed
  }
}

/** Parses the cells of a line. `at` is the path of the line. */
const parseLine = (
  cells: ReadonlyArray<string> | undefined,
  at: string,
  readPaidAt: CellParser<string>
): Result.Result<StatementLine, ReadonlyArray<FieldProblem>> => {
  if (cells === undefined || cells.length !== statementColumns.length) {
    return Result.fail([fieldProblem(at, invalidFormat("four cells, quoted by RFC 4180"))])
  }
  const problems: Array<FieldProblem> = []
  const read = <A>(index: number, parse: CellParser<A>): A | undefined => {
    const text = cells[index] ?? ""
    const result: Result.Result<A, Problem> = text.trim() === "" ? Result.fail(problem("REQUIRED")) : parse(text)
    if (Result.isSuccess(result)) return result.success
    problems.push(fieldProblem(`${at}.${statementColumns[index] ?? ""}`, result.failure))
  }
  const reference = read(0, parseReference)
  const paid_amount = read(1, parseAmount)
  const commission_amount = read(2, parseAmount)
  read(3, readPaidAt)
  if (reference === undefined || paid_amount === undefined || commission_amount === undefined || problems.length > 0) {
    return Result.fail(problems)
  }
  const hasOppositeSigns = Math.min(paid_amount, commission_amount) < 0 && Math.max(paid_amount, commission_amount) > 0
  return hasOppositeSigns
    ? Result.fail([fieldProblem(`${at}.commission_amount`, problem("MISMATCH", { sign_of: "paid_amount" }))])
    : Result.succeed({ reference, paid_amount, commission_amount })
}

const refuse = (field: string, reason: Problem) =>
  Result.fail(new ValidationFailed({ problems: [fieldProblem(field, reason)] }))

/**
 * A statement is a CSV file (RFC 4180) in UTF-8, with the header `reference,paid_amount,commission_amount,paid_at`.
 *
 * - Cells are separated by commas, or by semicolons in the whole file.
 * - Amounts have at most two decimals, after a point or a comma. For a reversal, both amounts are negative.
 * - A file has at most 20 000 lines. Empty lines are ignored.
 * - A problem names the line and the column: `lines[3].paid_amount`. The header is line 1.
 * @rule COMM-23
 */
export const parseStatement = (file: unknown): Result.Result<ReadonlyArray<StatementLine>, ValidationFailed> => {
  if (typeof file !== "string") return refuse("file", problem("INVALID_TYPE"))
  if (file.length > maxStatementLength) return refuse("file", problem("TOO_LONG", { max: maxStatementLength }))
  const [header = "", ...texts] = file.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)
  const separator = header.includes(";") ? ";" : ","
  if (cellsOf(header, separator)?.map((cell) => cell.trim()).join() !== statementColumns.join()) {
    return refuse("lines[1]", invalidFormat("reference,paid_amount,commission_amount,paid_at"))
  }
  const lines: Array<StatementLine> = []
  const problems: Array<FieldProblem> = []
  let unlisted = 0
  const readPaidAt = rememberPaidAt()
  for (const [index, text] of texts.entries()) {
    if (text.trim() === "") continue
    if (lines.length >= maxStatementLines) return refuse("lines", problem("TOO_LONG", { max_items: maxStatementLines }))
    const line = parseLine(cellsOf(text, separator), `lines[${index + 2}]`, readPaidAt)
    if (Result.isSuccess(line)) lines.push(line.success)
    else if (problems.length < maxListedProblems) problems.push(...line.failure)
    else unlisted += line.failure.length
  }
  return problems.length > 0 ? Result.fail(new ValidationFailed({ problems, unlisted })) : Result.succeed(lines)
}
