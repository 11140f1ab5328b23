import * as fc from "fast-check"
import { type Caller, type CallerFields, createCaller } from "../../src/access/Caller.ts"
import { type Permission, permissions } from "../../src/access/Permission.ts"
import { type PartnerId, type UserId } from "../../src/values/ids.ts"

export const ownPartner = "0197f3a2-5b1c-7d3e-8f4a-000000000001" as PartnerId
export const otherPartner = "0197f3a2-5b1c-7d3e-8f4a-000000000002" as PartnerId
export const ownUser = "0197f3a2-5b1c-7d3e-8f4a-0000000000a1" as UserId
export const otherUser = "0197f3a2-5b1c-7d3e-8f4a-0000000000a2" as UserId

/** A user of the group `admin` with every permission. `fields` override the defaults. */
export const makeCaller = (fields: Partial<CallerFields> = {}): Caller =>
  createCaller({
    subject: ownUser,
    kind: "user",
    partner_id: ownPartner,
    root_id: ownPartner,
    group: "admin",
    permissions: new Set(permissions),
    must_change_password: false,
    ...fields
  })

/** Any set of permissions. */
export const somePermissions: fc.Arbitrary<ReadonlySet<Permission>> = fc.subarray([...permissions])
  .map((some) => new Set(some))

/** Callers of each kind, with any permissions, with and without a due password change. */
export const anyCaller: fc.Arbitrary<Caller> = fc.record({
  permissions: somePermissions,
  kind: fc.constantFrom("user" as const, "client" as const, "host" as const),
  must_change_password: fc.boolean()
}).map((fields) => makeCaller(fields))
