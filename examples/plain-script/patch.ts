import { decode, PartnerDetail, patchPartner } from "@lastro/domain"

const readPartner = decode(PartnerDetail)

// A record as it comes out of a database or a file: nothing of it is believed before it is read.
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
  bank_account: null
})
if (read._tag === "Failure") throw read.failure

/** The partner as it is stored. */
export const stored = read.success

/** The partner after a partial update: what the body does not name stays, `null` clears, every problem is told at once. */
export const patched = (body: unknown): PartnerDetail | ReadonlyArray<string> => {
  const result = patchPartner(stored, body)
  return result._tag === "Success"
    ? result.success.next
    : result.failure.problems.map(({ code, field }) => `${field}: ${code}`)
}
