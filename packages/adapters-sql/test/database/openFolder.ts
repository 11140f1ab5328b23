import { asOperator } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { aPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { layerPglite } from "../../src/index.ts"

// Opens the data folder in the first argument (the second is the cache), inserts a root, prints `open` and runs until it is
// killed.
const program = Effect.gen(function*() {
  yield* (yield* PartnerRepository).insertRoot(asOperator.inScope(yield* aPartner()))
  process.stdout.write("open\n")
  return yield* Effect.never
})

await Effect.runPromise(
  Effect.provide(program, layerPglite({ dataDir: process.argv[2] ?? "", cacheFolder: process.argv[3] }))
)
