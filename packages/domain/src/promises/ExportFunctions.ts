import { Effect, type Result, Stream } from "effect"
import { type Caller, checkCaller } from "../access/Caller.ts"
import { type ExportedRecord, exportList, type ExportName } from "../export/exportList.ts"
import { type TooManyExports } from "../export/ExportSlots.ts"
import { readQuery } from "./callInput.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type OperationFailure } from "./OperationFailure.ts"
import { type Run } from "./Run.ts"

/** The ports of exports. `Lacking` are the lists that this facade does not have. */
export type PortsOfExports<Lacking extends ExportName> = Effect.Services<
  ReturnType<typeof exportList<Exclude<ExportName, Lacking>>>
>

/** The functions that read whole lists. `Lacking` are the lists that this facade does not have. */
export interface ExportFunctions<Lacking extends ExportName = never> {
  /**
   * Reads a whole list from one snapshot: every record of all pages, in the same order. `page` and `size` in the query
   * are ignored. The database is read while you iterate, so end the loop soon. The export ends with an error after a
   * pause of a minute, or ten minutes in total. Fails with TooManyExports if too many exports are running.
   * `csvColumns`, `csvHeader` and `csvLine` of `@lastro/domain/export` turn the records into a CSV file.
   */
  readonly exportList: <Name extends Exclude<ExportName, Lacking>>(
    caller: Caller,
    list: Name,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<AsyncIterable<ExportedRecord<Name>>, OperationFailure<Name> | TooManyExports>>
}

/** Creates the functions that read whole lists. */
export const exportFunctions = <Lacking extends ExportName>(
  run: Run<PortsOfExports<Lacking>>
): ExportFunctions<Lacking> => ({
  exportList: <Name extends Exclude<ExportName, Lacking>>(
    caller: Caller,
    list: Name,
    query?: unknown,
    options?: CallOptions
  ) =>
    run(
      () =>
        Effect.gen(function*() {
          const parsed = yield* Effect.fromResult(readQuery(query))
          const records = yield* exportList<Exclude<ExportName, Lacking>>(list, checkCaller(caller), parsed)
          return Stream.toAsyncIterableWith(records, yield* Effect.context<never>())
        }),
      options
      // The table of exports relates each name to the type of its records.
    ) as ReturnType<ExportFunctions["exportList"]> as never
})
