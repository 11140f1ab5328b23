import { type Caller, type PartnerDetail, permissions } from "@lastro/domain"

/** An API client of a root partner that may do everything; the fields given replace the example's. */
export const aClientCaller = (
  { partner_id }: Pick<PartnerDetail, "partner_id">,
  fields: Partial<Caller> = {}
): Caller => ({
  subject: "client",
  kind: "client",
  partner_id,
  root_id: partner_id,
  group: "admin",
  permissions: new Set(permissions),
  must_change_password: false,
  ...fields
})
