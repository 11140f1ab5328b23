import { type PartnerId } from "@lastro/domain"
import { type MemoryDatabase } from "@lastro/testkit"
import { type Context, Effect } from "effect"

/** The partner above, or a root itself. */
export const parentOf = ({ state }: Context.Service.Shape<typeof MemoryDatabase>, id: PartnerId) =>
  Effect.map(state, ({ partners }) => partners.get(id)?.partner.parent_id ?? id)
