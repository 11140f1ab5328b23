import { layerMemoryByHand, storeApplication, storeRootPartner } from "@lastro/testkit"
import { Duration, Effect, Layer, Ref } from "effect"
import { layerStatusWatch, type StatusWatchOptions } from "../../src/adapters/layerStatusWatch.ts"
import { type Application } from "../../src/loan/Application.ts"
import { ApplicationRepository } from "../../src/origination/ApplicationRepository.ts"
import { StatusWatch } from "../../src/ports/StatusWatch.ts"

/** Records the ids of each version query. Every query fails while `broken` is set. */
const countQueries = (queries: Array<ReadonlyArray<string>>, broken: Ref.Ref<boolean>) =>
  Layer.effect(
    ApplicationRepository,
    Effect.map(ApplicationRepository, (applications) =>
      ApplicationRepository.of({
        ...applications,
        versions: (ids) =>
          Effect.suspend(() => {
            queries.push(ids)
            return Effect.flatMap(Ref.get(broken), (isBroken) =>
              isBroken ? Effect.die(new Error("injected fault")) : applications.versions(ids))
          })
      }))
  )

interface WatchFixture {
  readonly queries: ReadonlyArray<ReadonlyArray<string>>
  readonly broken: Ref.Ref<boolean>
  readonly application: Application
}

/** Runs a test with its own watch, polling every 250 ms, over an in-memory application. */
export const withWatch = <A, E, R>(
  test: (fixture: WatchFixture) => Effect.Effect<A, E, R>,
  options: StatusWatchOptions = {}
) => {
  const queries: Array<ReadonlyArray<string>> = []
  const broken = Ref.makeUnsafe(false)
  const program = Effect.gen(function*() {
    const application = yield* storeApplication(yield* storeRootPartner())
    return yield* test({ queries, broken, application })
  })
  const watch = Layer.provide(layerStatusWatch(options), countQueries(queries, broken))
  return Effect.provide(program, Layer.provideMerge(watch, layerMemoryByHand), { local: true })
}

/** Waits for a change. Default: as one caller. */
export const wait = (
  { application_id, version }: Application,
  timeout: Duration.Input = "30 seconds",
  subject = "caller"
) =>
  Effect.flatMap(
    StatusWatch,
    (watch) => watch.wait({ subject, application_id, version, timeout: Duration.fromInputUnsafe(timeout) })
  )

/** Waits in a fiber that already holds its slot. */
export const forkWait = (application: Application, timeout: Duration.Input = "30 seconds", subject = "caller") =>
  Effect.forkChild(wait(application, timeout, subject), { startImmediately: true })
