import {
  createPartner,
  deletePartner,
  getPartner,
  listPartners,
  type PartnerId,
  permits,
  updatePartner
} from "@lastro/domain"
import { Effect } from "effect"
import { operation, type PathParams } from "../pipeline/Operation.ts"
import { detailed, done, idIn, listed } from "./answers.ts"

const named = (params: PathParams) => idIn<PartnerId>(params, "partner_uuid")

/** The operations on partners, by their names in the API definition. */
export const partnerOperations = {
  listPartners: operation({
    authorize: permits.listPartners,
    body: "none",
    idempotent: false,
    handle: (allowed, { query }) => Effect.map(listPartners(allowed, query), listed)
  }),
  createPartner: operation({
    authorize: permits.createPartner,
    body: "json",
    idempotent: true,
    handle: (allowed, { body }) =>
      Effect.map(createPartner(allowed, body), (partner) => ({
        ...detailed(partner),
        status: 201,
        location: `/api/v1/partners/${partner.partner_id}`
      }))
  }),
  getPartner: operation({
    authorize: permits.getPartner,
    body: "none",
    idempotent: false,
    handle: (allowed, { params }) =>
      Effect.map(Effect.flatMap(named(params), (id) => getPartner(allowed, id)), detailed)
  }),
  updatePartner: operation({
    authorize: permits.updatePartner,
    body: "json",
    idempotent: false,
    handle: (allowed, { body, expected, params }) =>
      Effect.map(Effect.flatMap(named(params), (id) => updatePartner(allowed, id, body, expected)), detailed)
  }),
  deletePartner: operation({
    authorize: permits.deletePartner,
    body: "none",
    idempotent: false,
    handle: (allowed, { expected, params }) =>
      Effect.as(Effect.flatMap(named(params), (id) => deletePartner(allowed, id, expected)), done)
  })
}
