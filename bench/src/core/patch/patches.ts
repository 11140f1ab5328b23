import { type PartnerDetail, patchPartner } from "@lastro/domain"
import { Result } from "effect"
import { accepted, refused } from "../Answer.ts"
import { type Part, part } from "../Part.ts"
import { patchByHand } from "./patchByHand.ts"

const stored = {
  partner_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40",
  name: "Promotora São João",
  status: "active",
  email: "contato@saojoao.example",
  phone: "1133334444",
  pix: { key: "contato@saojoao.example", type: "EMAIL" },
  address: {
    zipcode: "01310100",
    uf: "SP",
    city: "São Paulo",
    district: null,
    neighborhood: "Bela Vista",
    street: "Avenida Paulista",
    number: "1578",
    complement: "Apto 42"
  },
  document_number: "11222333000181",
  person_type: "pj",
  created_at: "2026-01-31T12:00:00.000Z",
  parent_id: "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f41",
  bank_account: null
} as PartnerDetail

/** What clients send: a field, several, a group field by field, nothing new. */
const good: ReadonlyArray<unknown> = [
  { partner: { name: "Promotora São João e Filhos" } },
  { partner: { email: "novo@saojoao.example", phone: "+55 (11) 98765-4321" } },
  { partner: { name: stored.name, document_number: "11.222.333/0001-81" } },
  { address: { street: "Rua Augusta", number: "S/N", complement: null } },
  { address: { zipcode: "20040-002", uf: "rj", city: "Rio de Janeiro", neighborhood: "Centro" } },
  { partner: { phone: "11987654321" }, address: null, pix: null },
  { partner: { name: "Nova Promotora" }, address: stored.address },
  {}
]

/** And their mistakes. */
const bad: ReadonlyArray<unknown> = [
  { partner: { email: "saojoao", document_number: "00000000000191" } },
  { partner: { name: null, nick: "SJ" }, address: { uf: "XX" } }
]

type Patched = ReturnType<typeof patchPartner>

const comparable = (answer: Patched): unknown =>
  Result.isSuccess(answer) ? accepted(answer.success) : refused({ problems: answer.failure.problems })

const patching = (name: string, bodies: ReadonlyArray<unknown>): Part =>
  part(name, Array.from({ length: 30 }, () => bodies).flat(), {
    ours: (body) => patchPartner(stored, body),
    byHand: (body) => patchByHand(stored, body),
    comparable
  })

/** Patching a stored partner by what a client sent. */
export const patches: ReadonlyArray<Part> = [patching("merge patch", good), patching("merge patch: refuse", bad)]
