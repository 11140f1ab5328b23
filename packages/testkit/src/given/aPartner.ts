import { type PartnerDetail, type PartnerId, type Timestamp } from "@lastro/domain"
import { Effect } from "effect"
import { freshCpf, freshId } from "./freshId.ts"

/** When records of examples were created, unless they say otherwise. */
export const exampleInstant = "2026-01-31T12:00:00.000Z" as Timestamp

/** A natural person as the root of a tree of its own, with a fresh id and document; the fields given replace the example's. */
export const aPartner = (fields: Partial<PartnerDetail> = {}): Effect.Effect<PartnerDetail> =>
  Effect.gen(function*() {
    return {
      partner_id: (yield* freshId) as PartnerId,
      name: "Parceira Exemplo",
      status: "active",
      email: "parceira@example.com",
      phone: "11987654321",
      pix: null,
      address: null,
      document_number: yield* freshCpf,
      person_type: "pf",
      created_at: exampleInstant,
      parent_id: null,
      bank_account: null,
      ...fields
    }
  })
