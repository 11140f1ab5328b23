import { Schema } from "effect"

/** A natural person (`pf`, pessoa física) or a legal entity (`pj`, pessoa jurídica). */
export const PersonType = Schema.Literals(["pf", "pj"]).annotate({
  description: "pf: natural person, identified by CPF; pj: legal entity, identified by CNPJ"
})
export type PersonType = typeof PersonType.Type
