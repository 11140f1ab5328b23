import { type Caller } from "@lastro/domain/access"
import { csvFormats, csvHeader, csvLine, exportList, type ExportName, exports } from "@lastro/domain/export"
import { type RawQuery, ValidationFailed } from "@lastro/domain/input"
import { Cause, Effect, Result, Stream, Struct } from "effect"
import { type Language } from "../errors/Language.ts"
import { localizeRejections } from "../errors/rejectionMessages.ts"
import { describeDefect } from "./describeDefect.ts"
import { type Incoming } from "./Exchange.ts"
import { parseRanges } from "./negotiation.ts"
import { parseQuery } from "./parseQuery.ts"

/** A CSV file that is sent while it is read. */
export interface CsvExport {
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  /** The file in chunks. The stream reads nothing and holds no resources until it is run. Fails only with a defect. */
  readonly content: Stream.Stream<Uint8Array<ArrayBuffer>>
}

const encoder = new TextEncoder()

/**
 * Opens the CSV file of a whole list for a caller. Checks the permission, the query and the number of running exports.
 * The query is untrusted. Its page and size are ignored. The language determines the separator and the decimal mark.
 */
export const openCsvExport = Effect.fnUntraced(function*(
  name: ExportName,
  caller: Caller,
  query: RawQuery,
  language: Language
) {
  const records = yield* exportList(name, caller, query)
  const { columns } = exports[name]
  const format = csvFormats[language]
  const lines = Stream.mapArray(records, (batch) => [
    encoder.encode(batch.map((record) => csvLine(localizeRejections(record, language), columns, format)).join(""))
  ])
  const header = Stream.succeed(encoder.encode(csvHeader(columns, format)))
  const file: CsvExport = {
    type: "text/csv; charset=utf-8; header=present",
    headers: {
      "content-disposition": `attachment; filename="${name.slice("list".length).toLowerCase()}.csv"`,
      "content-language": language
    },
    content: Stream.provideContext(Stream.concat(header, lines), yield* Effect.context<never>())
  }
  return file
})

/** Logs that the content of a file failed. An interruption is no failure: the client has disconnected. */
export const logExportFailure = (cause: Cause.Cause<never>): Effect.Effect<void> =>
  Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.annotateLogs(
    Effect.logError("export failed; closing the connection"),
    { ...describeDefect(Cause.squash(cause)) }
  )

/** The ports that exports use. */
export type ExportPorts = Effect.Services<ReturnType<typeof openCsvExport>>

/** The query parameter that selects the format of a list. It takes precedence over `Accept`. */
const formatParameter = "format"

/** Returns the query of a list without the parameter that selects its format. */
export const listQueryOf = (url: string): RawQuery => Struct.omit(parseQuery(url), [formatParameter])

/** Returns whether an `Accept` header (RFC 9110 §12.5.1) prefers `text/csv` to JSON. */
const prefersCsv = (accept: string): boolean => {
  let best = { isCsv: false, weight: 0 }
  const ranges = parseRanges(accept)
  const csv = ranges.some(({ range }) => range === "text/csv") ? "text/csv" : "text/*"
  for (const { quality, range } of ranges) {
    const isCsv = range === csv
    if (!isCsv && !["application/json", "application/*", "*/*"].includes(range)) continue
    // Of ranges with the same quality, the one with the fewest wildcards counts.
    const weight = quality - 0.0001 * range.split("*").length
    if (weight > best.weight) best = { isCsv, weight }
  }
  return best.isCsv
}

/** Returns whether a request for a list wants CSV, by the parameter `format` or else by its `Accept` header. */
export const wantsCsv = ({ headers, url }: Incoming): Result.Result<boolean, ValidationFailed> => {
  const sent = parseQuery(url)[formatParameter]
  const [format = ""] = typeof sent === "string" ? [sent] : sent ?? []
  if (format === "csv") return Result.succeed(true)
  if (format === "json") return Result.succeed(false)
  if (format === "") return Result.succeed(prefersCsv(headers["accept"] ?? ""))
  return Result.fail(
    new ValidationFailed({
      problems: [{ field: `query.${formatParameter}`, code: "UNKNOWN_VALUE", params: { allowed: "csv, json" } }]
    })
  )
}
