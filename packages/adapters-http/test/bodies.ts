import { freshCpf } from "@lastro/testkit"
import { Effect } from "effect"

/** A body that creates a partner with a fresh CPF. `fields` replace those of `partner`. */
export const newPartner = (fields: object = {}) =>
  Effect.map(freshCpf, (document_number) => ({
    partner: {
      type: "pf",
      name: "Ana Souza",
      email: "ana@example.com",
      phone: "11987654321",
      document_number: document_number as string,
      ...fields
    }
  }))

/** A body that creates a user, with a fresh CPF and e-mail. */
export const newUser = (fields: object = {}) =>
  Effect.map(freshCpf, (cpf) => ({
    name: "Bruno Lima",
    email: `bruno.${cpf}@example.com`,
    phone: "11987654321",
    cpf: cpf as string,
    group_id: "01900000-0000-7000-8000-000000000004",
    ...fields
  }))

/** A body that creates an application for a customer with a fresh CPF. Adds `fields` to it and `customer` to the customer. */
export const newApplication = (
  { customer, ...fields }: { readonly customer?: object } & Record<string, unknown> = {}
) =>
  Effect.map(freshCpf, (cpf) => ({
    external_id: `loan-${cpf}`,
    customer: { cpf: cpf as string, birth_date: "1990-05-17", name: "Ana Souza", ...customer },
    ...fields
  }))
