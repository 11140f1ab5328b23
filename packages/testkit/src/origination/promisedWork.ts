import { DurableWork, UnitOfWork } from "@lastro/domain"
import { Context, Effect } from "effect"
import { type Work, workName } from "../memory/Work.ts"

/** What the transaction around has been asked to have done. */
const Asked = Context.Reference<Array<Work> | undefined>("@lastro/testkit/origination/promisedWork/Asked", {
  defaultValue: () => undefined
})

/** Durable work beside any database: what a transaction that committed had asked for, and nobody does by itself. */
export interface PromisedWork {
  readonly durable: DurableWork["Service"]
  /** The transactions of the database, which work that is started takes part in. */
  readonly unit: UnitOfWork["Service"]
  /** Everything that was promised, in the order of the promises. */
  readonly all: () => ReadonlyArray<Work>
  /** What was promised and has not ended. */
  readonly pending: () => ReadonlyArray<Work>
  readonly end: (work: Work) => void
}

/** Nothing was promised yet; transactions are those of the surroundings. */
export const promisedWork: Effect.Effect<PromisedWork, never, UnitOfWork> = Effect.map(UnitOfWork, (database) => {
  const promised = new Map<string, Work>()
  const ended = new Set<string>()
  const start = (work: Work) =>
    Effect.map(Asked, (asked) => void (asked === undefined ? keep([work]) : asked.push(work)))
  const keep = (works: ReadonlyArray<Work>): void => {
    for (const work of works) if (!promised.has(workName(work))) promised.set(workName(work), work)
  }
  return {
    durable: DurableWork.of({
      startQuote: (quote_id) => start({ _tag: "Quote", quote_id }),
      startContract: (proposal_id, attempt) => start({ _tag: "Contract", proposal_id, attempt })
    }),
    unit: UnitOfWork.of({
      atomically: (effect) =>
        Effect.gen(function*() {
          const outer = yield* Asked
          // Made within: a database may run a unit again.
          const inner = Effect.suspend(() => {
            const asked: Array<Work> = []
            return Effect.map(Effect.provideService(effect, Asked, asked), (value) => ({ asked, value }))
          })
          const { asked, value } = yield* database.atomically(inner)
          if (outer === undefined) keep(asked)
          else outer.push(...asked)
          return value
        })
    }),
    all: () => Array.from(promised.values()),
    pending: () => Array.from(promised).filter(([name]) => !ended.has(name)).map(([, work]) => work),
    end: (work) => void ended.add(workName(work))
  }
})
