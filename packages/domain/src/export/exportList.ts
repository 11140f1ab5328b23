import { Deferred, type Duration, Effect, Exit, Fiber, Result, Schedule, type Schema, Scope, Stream } from "effect"
import { type Allowed, authorize } from "../access/Authorization.ts"
import { type Caller, callerKey } from "../access/Caller.ts"
import { type Permission } from "../access/Permission.ts"
import { AuditItem } from "../audit/AuditItem.ts"
import { exportAudit } from "../audit/ListAudit.ts"
import { ClientDetail } from "../client/ClientDetail.ts"
import { exportClients } from "../client/ListClients.ts"
import { CommissionEntry } from "../commission/CommissionEntry.ts"
import { exportCommissions } from "../commission/ListCommissions.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { FgtsApplicationListItem } from "../origination/FgtsApplicationListItem.ts"
import { exportApplications } from "../origination/ListApplications.ts"
import { exportProposals } from "../origination/ListProposals.ts"
import { PublicProposalListItem } from "../origination/PublicProposalListItem.ts"
import { exportPartners } from "../partner/ListPartners.ts"
import { PartnerListItem } from "../partner/PartnerDetail.ts"
import { CostlyReads } from "../ports/CostlyReads.ts"
import { type TakeTurn, type TurnOwner } from "../ports/FairQueue.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { WaitInTransaction } from "../ports/WaitInTransaction.ts"
import { exportUsers } from "../user/ListUsers.ts"
import { UserListItem } from "../user/UserDetail.ts"
import { csvColumns } from "./csv.ts"
import { Exports } from "./ExportSlots.ts"

/** If too many reads are waiting, a batch waits this long and requests a turn again. */
const turnPause = "200 millis"

/**
 * Each batch of an export is a costly read and waits for its own turn (PAGE-27). Between two batches, other costly
 * reads get their turns. While an export waits for its client, it takes no turn.
 * @rule PAGE-35
 */
export const inTurn = <A, E, R>(
  takeTurn: TakeTurn,
  owner: TurnOwner,
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Scope.make(),
    (turn) =>
      Effect.andThen(
        Effect.orDie(Effect.retry(Scope.provide(takeTurn(owner), turn), Schedule.spaced(turnPause))),
        read
      ),
    (turn, exit) => Scope.close(turn, exit)
  )

/**
 * Limits the stream of an export. The export takes a slot when it starts, and reads each batch in its turn. If its
 * client reads nothing for a minute, or after ten minutes in total, it releases the slot and the database, and fails
 * with a defect.
 */
const limitExport = <A>(records: Stream.Stream<A>, owner: Required<TurnOwner>): Stream.Stream<A> =>
  Stream.unwrap(Effect.gen(function*() {
    const { limits: { maxIdle, maxRun }, take } = yield* Exports
    const { take: takeTurn } = yield* CostlyReads
    const outer = yield* Effect.scope
    const resources = yield* Scope.fork(outer)
    yield* Effect.orDie(Scope.provide(take(owner.root), resources))
    const pull = yield* Scope.provide(Stream.toPull(records), resources)
    const timedOut = yield* Deferred.make<never>()
    let isReading = false
    const end = Effect.andThen(
      Deferred.die(timedOut, "The export took too long"),
      // A read in progress fails, which ends the stream and closes the scope.
      Effect.suspend(() => isReading ? Effect.void : Scope.close(resources, Exit.void))
    )
    const endAfter = (limit: Duration.Duration) => Effect.forkIn(Effect.andThen(Effect.sleep(limit), end), outer)
    yield* endAfter(maxRun)
    let idle = yield* endAfter(maxIdle)
    const begin = Effect.suspend(() => {
      isReading = true
      return Fiber.interrupt(idle)
    })
    const pause = Effect.suspend(() => {
      isReading = false
      return Effect.map(endAfter(maxIdle), (fiber) => idle = fiber)
    })
    const failure = Deferred.await(timedOut)
    const read = Effect.flatMap(
      Deferred.isDone(timedOut),
      (isTimedOut) => isTimedOut ? failure : Effect.raceFirst(inTurn(takeTurn, owner, pull), failure)
    )
    return Stream.fromPull(Effect.succeed(Effect.andThen(begin, Effect.ensuring(read, pause))))
  }))

/** Defines a list that can be exported: the columns of its CSV file, and the stream of its records. */
const listExport = <P extends Permission, A extends object, E, R>(
  permission: P,
  item: Schema.Top,
  open: (allowed: Allowed<P>, query: RawQuery) => Effect.Effect<Stream.Stream<A>, E, R>,
  omitted: ReadonlyArray<string> = []
) => ({
  permission,
  columns: csvColumns(item, omitted),
  open: (caller: Caller, query: RawQuery) => {
    const allowed = authorize(caller, permission)
    return Result.isFailure(allowed) ? Effect.fail(allowed.failure) : open(allowed.success, query)
  }
})

/** The lists that can be exported, by the name of their operation. */
export const exports = {
  listPartners: listExport("partners:read", PartnerListItem, exportPartners),
  listUsers: listExport("users:read", UserListItem, exportUsers, ["group_permissions"]),
  listClients: listExport("clients:write", ClientDetail, exportClients, ["group_permissions"]),
  listApplications: listExport("fgts:read", FgtsApplicationListItem, exportApplications),
  listProposals: listExport("proposals:read", PublicProposalListItem, exportProposals),
  listCommissions: listExport("commissions:read", CommissionEntry, exportCommissions),
  listAudit: listExport("audit:read", AuditItem, exportAudit)
}

/** The name of a list that can be exported. */
export type ExportName = keyof typeof exports

/** A record of an exported list. */
export type ExportedRecord<Name extends ExportName> = Effect.Success<ReturnType<(typeof exports)[Name]["open"]>> extends
  Stream.Stream<infer A> ? A : never

/** Returns whether the list of an operation can be exported. */
export const isExported = (operation: string): operation is ExportName => Object.hasOwn(exports, operation)

/** The effect that opens an export, with its errors and services. */
type Opening<Name extends ExportName> = ReturnType<(typeof exports)[Name]["open"]>

/** The same lists, with the exact errors and services of each. */
const openings: {
  readonly [Name in ExportName]: {
    readonly open: (
      caller: Caller,
      query: RawQuery
    ) => Effect.Effect<Stream.Stream<object>, Effect.Error<Opening<Name>>, Effect.Services<Opening<Name>>>
  }
} = exports

/**
 * Opens the export of a whole list: every record on its pages, in the same order, from one snapshot of the database.
 * The query is untrusted, and its page and size are ignored. Fails with TooManyExports if too many exports are running
 * ({@link limitExport}).
 *
 * Dies with {@link WaitInTransaction} in a transaction of a host, like the feed (EVENT-05).
 */
export const exportList = Effect.fnUntraced(function*<Name extends ExportName>(
  name: Name,
  caller: Caller,
  query: RawQuery
) {
  if (yield* (yield* UnitOfWork).isOpen) return yield* Effect.die(new WaitInTransaction())
  const records = yield* openings[name].open(caller, query)
  yield* Effect.fromResult((yield* Exports).judge(caller.root_id))
  return limitExport(records, { root: caller.root_id, key: callerKey(caller) })
})
