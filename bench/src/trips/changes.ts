import { groupBySlug } from "@lastro/domain/access"
import { sandboxCpf } from "@lastro/domain/adapters"
import { completeCnpj, completeCpf } from "@lastro/domain/values"
import { type Ask } from "../server/Ask.ts"

/** Returns the request to create the partner with this number. */
export const createPartner = (token: string, number: number): Ask => ({
  method: "POST",
  path: "/api/v1/partners",
  token,
  headers: { "idempotency-key": `partner-${number}` },
  body: {
    partner: {
      type: "pj",
      name: `Crédito ${number}`,
      email: `partner.${number}@example.com`,
      phone: "1133334444",
      document_number: completeCnpj(String(990_000_000_000 + number))
    },
    pix: { type: "EMAIL", key: `partner.${number}@example.com` }
  }
})

/** Returns the request to create the user with this number. The password is generated. */
export const createUser = (token: string, number: number): Ask => ({
  method: "POST",
  path: "/api/v1/users",
  token,
  headers: { "idempotency-key": `user-${number}` },
  body: {
    name: `Ana Lima ${number}`,
    email: `user.${number}@example.com`,
    phone: "11987654321",
    cpf: completeCpf(String(123_000_000 + number)),
    group_id: groupBySlug("operator").group_id
  }
})

/** Returns the request to open the application with this number. The sandbox offers a loan. */
export const openApplication = (token: string, number: number): Ask => ({
  method: "POST",
  path: "/api/v1/fgts/applications",
  token,
  headers: { "idempotency-key": `application-${number}` },
  body: { external_id: `loan-${number}`, customer: { cpf: sandboxCpf("00", number), birth_date: "1990-05-17" } }
})
