import { asOperator } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { aPartner } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { layerPglite } from "../../src/index.ts"

// Opens the data folders that follow the first argument, the cache. Inserts a root in each, prints `open` and runs until it is
// killed.
const [cacheFolder, ...folders] = process.argv.slice(2)

const program = Effect.gen(function*() {
  for (const dataDir of folders) {
    const ports = yield* Layer.build(Layer.fresh(layerPglite({ dataDir, cacheFolder })))
    const insert = Effect.gen(function*() {
      yield* (yield* PartnerRepository).insertRoot(asOperator.inScope(yield* aPartner()))
    })
    yield* Effect.provide(insert, ports)
  }
  process.stdout.write("open\n")
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(program))
