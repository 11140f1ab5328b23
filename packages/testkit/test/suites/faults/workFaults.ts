import { runQuote, submitContract } from "@lastro/domain/jobs"
import { DurableWork } from "@lastro/domain/origination"
import { type Busy, UnitOfWork } from "@lastro/domain/ports"
import { durableWorkSuite } from "@lastro/testkit/suites"
import { type Context, Effect } from "effect"
import { breakPort, type Fault, options } from "./Fault.ts"

type Work = Context.Service.Shape<typeof DurableWork>

const work = (
  fault: string,
  detectedBy: RegExp,
  override: (sound: Work) => Effect.Effect<Work, never, JobPorts>
) => ({
  fault: `DurableWork: ${fault}`,
  detectedBy,
  suite: (runner) => durableWorkSuite("broken", breakPort(DurableWork, override), runner, options)
} satisfies Fault)

/** The ports that `runQuote` and `submitContract` require. */
type JobPorts = Effect.Services<ReturnType<typeof runQuote>>

/** Runs an effect concurrently, outside the transaction that starts it. */
const runConcurrently = Effect.map(Effect.context<JobPorts>(), (ports) => {
  const run = Effect.runForkWith(ports)
  return (job: Effect.Effect<unknown, Busy, JobPorts>) => Effect.sync(() => void run(Effect.ignore(job)))
})

/** Starts each job once, and ignores every further start. */
const onlyOnce = <Id>(start: (id: Id) => Effect.Effect<void>) => {
  const started = new Set<Id>()
  return (id: Id) =>
    Effect.suspend(() => {
      if (started.has(id)) return Effect.void
      started.add(id)
      return start(id)
    })
}

/** Broken adapters of durable jobs. */
export const workFaults: ReadonlyArray<Fault> = [
  work(
    "a job runs before its transaction commits",
    /before the transaction commits/,
    (sound) => Effect.map(runConcurrently, (run) => ({ ...sound, startQuote: (quote) => run(runQuote(quote)) }))
  ),
  work(
    "a quote job runs twice",
    /one job per quote/,
    (sound) =>
      Effect.zipWith(runConcurrently, UnitOfWork, (run, { atomically }) => ({
        ...sound,
        startQuote: (quote) =>
          Effect.andThen(sound.startQuote(quote), run(Effect.andThen(atomically(Effect.void), runQuote(quote))))
      }))
  ),
  work(
    "makeDue drops the state of a callback",
    /`makeDue` stores the `lender_state` of its target/,
    (sound) =>
      Effect.succeed({
        ...sound,
        makeDue: (target) =>
          sound.makeDue(
            "id" in target
              ? { kind: target.kind, id: target.id } as typeof target
              : { kind: target.kind, callback_key: target.callback_key }
          )
      })
  ),
  work(
    "contract jobs are lost",
    /retries the submission until the lender answers/,
    (sound) => Effect.succeed({ ...sound, startContract: () => Effect.void })
  ),
  work(
    "contract jobs end after the submission",
    /polls the lender until the status of the contract is final/,
    (sound) =>
      Effect.zipWith(runConcurrently, UnitOfWork, (run, { atomically }) => ({
        ...sound,
        startContract: (proposal) =>
          run(Effect.andThen(atomically(Effect.void), Effect.orDie(submitContract(proposal))))
      }))
  ),
  work(
    "a contract job is started only once",
    /a second `startContract`, after a new payment was requested/,
    (sound) => Effect.sync(() => ({ ...sound, startContract: onlyOnce(sound.startContract) }))
  ),
  work(
    "the wait of a contract job survives a start",
    /a second `startContract` ends the wait/,
    (sound) => Effect.sync(() => ({ ...sound, startContract: onlyOnce(sound.startContract) }))
  ),
  work(
    "the wait of a quote job survives a start",
    /a second `startQuote` ends the wait/,
    (sound) => Effect.sync(() => ({ ...sound, startQuote: onlyOnce(sound.startQuote) }))
  ),
  work(
    "makeDue changes nothing",
    /`makeDue` runs a waiting contract at once/,
    (sound) => Effect.succeed({ ...sound, makeDue: () => Effect.void })
  ),
  work(
    "makeDue finds no job by its callback key",
    /by its id or its callback key/,
    (sound) => Effect.succeed({ ...sound, makeDue: (target) => "id" in target ? sound.makeDue(target) : Effect.void })
  ),
  work(
    "a callback that comes before its key is forgotten",
    /earlier than the PENDING answer with its key/,
    (sound) =>
      Effect.sync(() => {
        const known = new Set<string>()
        return {
          ...sound,
          makeDue: (target) =>
            Effect.suspend(() => {
              if ("id" in target || known.has(target.callback_key)) return sound.makeDue(target)
              known.add(target.callback_key)
              return Effect.void
            })
        }
      })
  ),
  work(
    "makeDue starts a quote again",
    /keeps its progress/,
    (sound) =>
      Effect.succeed({
        ...sound,
        makeDue: (target) =>
          target.kind === "quote" && "id" in target ? sound.startQuote(target.id) : sound.makeDue(target)
      })
  ),
  work(
    "makeDue takes effect before its transaction commits",
    /joins the surrounding transaction/,
    (sound) => Effect.map(runConcurrently, (run) => ({ ...sound, makeDue: (target) => run(sound.makeDue(target)) }))
  ),
  work(
    "each makeDue leads to a run",
    /many calls of `makeDue` during a run/,
    (sound) =>
      Effect.map(runConcurrently, (run) => ({
        ...sound,
        makeDue: (target) =>
          target.kind === "quote" && "id" in target ? run(runQuote(target.id)) : sound.makeDue(target)
      }))
  )
]
