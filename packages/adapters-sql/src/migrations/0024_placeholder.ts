import { Effect } from "effect"

/** The place of the migration of the webhooks. */
export default Effect.void
