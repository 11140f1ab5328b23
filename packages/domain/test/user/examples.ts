import { Schema } from "effect"
import { groupBySlug, groupRecord } from "../../src/access/Group.ts"
import { UserDetail } from "../../src/user/UserDetail.ts"

/** A user in canonical form. */
export const storedUser = Schema.decodeUnknownSync(UserDetail)({
  user_id: "0197f3a2-5b1c-7d3e-8f4a-0000000000a2",
  name: "Ana Maria",
  email: "ana@example.com",
  phone: "11987654321",
  cpf: "52998224725",
  status: "ACTIVE",
  group: groupRecord(groupBySlug("viewer")),
  must_change_password: false,
  created_at: "2026-01-31T12:00:00.000Z",
  partner_id: "0197f3a2-5b1c-7d3e-8f4a-00000000000b",
  metadata: { plan: "gold" },
  partners: [{ partner_id: "0197f3a2-5b1c-7d3e-8f4a-00000000000b", name: "Ana Ltda" }]
})
