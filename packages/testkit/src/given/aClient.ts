import { type ApiClient, groupBySlug, type PartnerId } from "@lastro/domain"
import { Effect } from "effect"
import { exampleInstant } from "./aPartner.ts"
import { freshId } from "./freshId.ts"

/** A live API client of a partner, an administrator, with a fresh `client_id`; the fields given replace the example's. */
export const aClient = (partner_id: PartnerId, fields: Partial<ApiClient> = {}): Effect.Effect<ApiClient> =>
  Effect.map(freshId, (id) => ({
    client_id: `example-${id}`,
    partner_id,
    group_id: groupBySlug("admin").group_id,
    created_at: exampleInstant,
    revoked_at: null,
    ...fields
  }))
