import { AuditRetention, pruneAudit } from "@lastro/domain/audit"
import { currentTimestamp, parseFromFilter, type Timestamp } from "@lastro/domain/values"
import { Console, Effect, Option, Result, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { confirmChange, OperatorTerminal, yes } from "./OperatorTerminal.ts"
import { json } from "./records.ts"
import { withPorts } from "./withPorts.ts"

const before = Flag.String("before").pipe(
  Flag.withDescription(
    "Only entries before this time: an ISO 8601 instant with offset, or the start of a day (YYYY-MM-DD) in America/Sao_Paulo"
  ),
  Flag.filterMap(
    (text) => Result.getOrElse(parseFromFilter(text), Option.none),
    () => "an ISO 8601 instant with offset, such as 2026-01-31T00:00:00Z, or a day, such as 2026-01-31"
  )
)

/** This flag is only for the help: `withGzip` compresses the output. */
const gzip = Flag.Boolean("gzip").pipe(
  Flag.withDescription("Compress the output with gzip (RFC 1952)"),
  Flag.withDefault(false)
)

/**
 * Returns the time, but at most the current time. So with the same future time, a later prune also deletes the entries
 * that were recorded after the export.
 */
const notLater = (time: Timestamp) => Effect.map(currentTimestamp, (now) => time < now ? time : now)

const exportCommand = Command.make("export", { before, gzip, json }, ({ before, json }) =>
  Effect.gen(function*() {
    const { clearStep, flushed, showStep } = yield* OperatorTerminal
    const entries = (yield* AuditRetention).exportBefore(yield* notLater(before))
    let count = 0
    yield* Stream.runForEachArray(entries, (batch) =>
      Effect.gen(function*() {
        for (const entry of batch) {
          const separator = count === 0 ? "[" : ","
          yield* Console.log(`${json ? separator : ""}${JSON.stringify(entry)}`)
          count++
        }
        yield* flushed
        yield* showStep(`Exported ${count} audit entries`)
      })).pipe(Effect.ensuring(clearStep))
    if (json) yield* Console.log(count === 0 ? "[]" : "]")
    yield* Console.error(`Exported ${count} audit entries.`)
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "Write the audit entries of all trees before a time to standard output, one JSON object a line, the oldest first. With --json, they are one array. " +
        "Personal data is masked as it is stored. The number of entries is printed to standard error. Verify the exit code " +
        "before you delete the entries with lastro audit prune."
    ),
    Command.withShortDescription("Write old audit entries as JSON lines"),
    Command.withExamples([{
      command: "lastro audit export --before 2026-01-01 --gzip > audit-2025.ndjson.gz",
      description: "Archive the entries before 2026"
    }])
  )

/** The pause between two batches, in which the database serves the requests of callers. */
const batchPause = "20 millis"

const prune = Command.make("prune", { before, json, yes }, ({ before, json, yes }) =>
  Effect.gen(function*() {
    const time = yield* notLater(before)
    yield* confirmChange(yes, `Delete all audit entries before ${time} for ever?`)
    const { clearStep, showStep } = yield* OperatorTerminal
    let deleted = 0
    yield* Effect.gen(function*() {
      for (let count = yield* pruneAudit(time); count > 0; count = yield* pruneAudit(time)) {
        deleted += count
        yield* showStep(`Deleted ${deleted} audit entries`)
        yield* Effect.sleep(batchPause)
      }
    }).pipe(Effect.ensuring(clearStep))
    yield* Console.log(
      json ? JSON.stringify({ before: time, deleted }, null, 2) : `Deleted ${deleted} audit entries before ${time}.`
    )
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "Delete the audit entries of all trees before a time, in small pieces. Nodes keep serving. You can interrupt the " +
        "command and run it again. This cannot be undone: export the entries first. The totals of the audit are corrected. " +
        "A node deletes old entries itself if LASTRO_AUDIT_RETENTION is set."
    ),
    Command.withShortDescription("Delete old audit entries"),
    Command.withExamples([{
      command: "lastro audit prune --before 2026-01-01 --yes",
      description: "Delete the entries before 2026"
    }])
  )

export const audit = Command.make("audit").pipe(
  Command.withDescription("Export or delete old audit entries"),
  Command.withSubcommands([exportCommand, prune])
)
