import { type PartnerId } from "@lastro/domain/values"
import { type MemoryDatabase } from "@lastro/testkit"
import { type Context, Effect } from "effect"
import { treeOf } from "../../../src/memory/MemoryState.ts"

/** Returns the parent of a partner with more than `beyond` ancestors, and otherwise the partner itself. */
export const parentOf = (
  { state }: Context.Service.Shape<typeof MemoryDatabase>,
  id: PartnerId,
  beyond = 0
): Effect.Effect<PartnerId> =>
  Effect.map(state, (now) => {
    const [, ...above] = treeOf(now).pathToRoot(id)
    return above.length > beyond ? above[0] ?? id : id
  })
