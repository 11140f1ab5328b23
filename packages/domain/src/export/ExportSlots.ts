import { Context, Duration, Effect, Result, type Scope } from "effect"
import { Refusal } from "../input/Refusal.ts"

/** Limits on the exports of a process. Each running export holds a database connection. */
export interface ExportLimits {
  /** Maximum number of exports that run at the same time. It should be a small share of the database connections. */
  readonly concurrent: number
  /** Maximum number of exports of one root partner that run at the same time. Less than `concurrent`. */
  readonly concurrentPerRoot: number
  /** Maximum duration of an export. After it, the export ends without the remaining records. */
  readonly maxRun: Duration.Duration
  /** Maximum time for which an export waits for its client to read. */
  readonly maxIdle: Duration.Duration
}

/** The default limits. */
export const defaultExportLimits: ExportLimits = {
  concurrent: 4,
  concurrentPerRoot: 2,
  maxRun: Duration.minutes(10),
  maxIdle: Duration.minutes(1)
}

/** Too many exports are running. */
export class TooManyExports extends Refusal(
  "TooManyExports",
  "Too many exports are running. Retry when one of them has ended.",
  ["retry_after_seconds"]
)<{
  readonly retry_after_seconds: number
}> {}

/** Seconds after which a client can request a refused export again. */
const retrySeconds = 5

/**
 * A process runs at most four exports at a time, and at most two of one root partner. Another one is refused. `running`
 * are the roots of the running exports.
 * @rule PAGE-34
 */
export const judgeExports = (
  running: ReadonlyArray<string>,
  root: string,
  { concurrent, concurrentPerRoot }: ExportLimits
): Result.Result<void, TooManyExports> =>
  running.length >= concurrent || running.filter((id) => id === root).length >= concurrentPerRoot
    ? Result.fail(new TooManyExports({ retry_after_seconds: retrySeconds }))
    : Result.void

/** Counts the running exports of a process. */
export interface ExportSlots {
  readonly limits: ExportLimits
  /** Fails with TooManyExports if another export of this root cannot run now. */
  readonly judge: (root: string) => Result.Result<void, TooManyExports>
  /** Takes a slot until the scope closes, or fails with TooManyExports. */
  readonly take: (root: string) => Effect.Effect<void, TooManyExports, Scope.Scope>
}

/** Creates the slots for the exports of a process, with no export running. */
export const makeExportSlots = (limits: ExportLimits): ExportSlots => {
  const running: Array<string> = []
  const judge = (root: string) => judgeExports(running, root, limits)
  return {
    limits,
    judge,
    take: (root) =>
      Effect.asVoid(Effect.acquireRelease(
        Effect.suspend(() => Effect.map(Effect.fromResult(judge(root)), () => running.push(root))),
        () => Effect.sync(() => running.splice(running.indexOf(root), 1))
      ))
  }
}

/**
 * The slots for exports. Default: one set for the process, with the default limits. A process with several
 * installations should provide one set for each.
 */
export const Exports = Context.Reference<ExportSlots>("@lastro/domain/export/ExportSlots", {
  defaultValue: () => makeExportSlots(defaultExportLimits)
})
