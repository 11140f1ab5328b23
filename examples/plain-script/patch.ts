import { decode } from "@lastro/domain/input"
import { PartnerDetail, patchPartner } from "@lastro/domain/partner"

const readPartner = decode(PartnerDetail)

// A record from a database or a file is untrusted until it is decoded.
const read = readPartner({
  partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40",
  name: "Crédito Fácil",
  status: "active",
  email: "contato@facil.example",
  phone: "11987654321",
  pix: { type: "EMAIL", key: "contato@facil.example" },
  address: null,
  document_number: "12ABC34501DE35",
  person_type: "pj",
  created_at: "2026-01-31T12:00:00.000Z",
  parent_id: null,
  bank_account: null,
  metadata: {}
})
if (read._tag === "Failure") throw read.failure

/** The stored partner. */
export const stored = read.success

/** Applies a partial update to the stored partner. Returns all problems if the body is invalid. */
export const patchStored = (body: unknown): PartnerDetail | ReadonlyArray<string> => {
  const result = patchPartner(stored, body)
  return result._tag === "Success"
    ? result.success.next
    : result.failure.problems.map(({ code, field }) => `${field}: ${code}`)
}
