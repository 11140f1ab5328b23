import { KycValues, type LenderKycField } from "@lastro/domain/kyc"
import { Effect, Struct } from "effect"
import { aCustomer } from "./aCustomer.ts"
import { Builder, checkRecord, type Plain } from "./Builder.ts"

/** An example bank account of a customer. */
export const exampleBank = {
  bank_code: "341",
  account_type: "CC",
  agency: "1234",
  agency_digit: null,
  account_number: "00012345",
  account_digit: "X"
} as NonNullable<KycValues["bank"]>

/** Example values of the additional fields that a lender can require. */
export const exampleLenderFields = {
  profession: "Professora",
  monthly_income: 3_500.5,
  education: "HIGHER",
  spouse_name: "Paulo Exemplo",
  documents: [
    { kind: "IDENTITY_FRONT", reference: "2026/identity-front.jpg", sha256: "0".repeat(64) },
    { kind: "PROOF_OF_RESIDENCE", reference: "https://documents.example/residence.pdf", sha256: null }
  ]
} as const

/** Fields of a KYC that override the defaults. */
export type KycFields = Partial<Plain<KycValues>>

/** The customer fields that are copied into the KYC. */
export interface KnownCustomer {
  readonly birth_date: string
  readonly cpf: string
  readonly name?: string | null | undefined
}

const checkKyc = checkRecord("aCompleteKyc", KycValues)

/** Builds a KYC ({@link aCompleteKyc}). */
export class KycBuilder extends Builder<KycValues> {
  readonly #fields: KycFields
  readonly #customer: Effect.Effect<KnownCustomer>

  constructor(fields: KycFields, customer: Effect.Effect<KnownCustomer>) {
    super()
    this.#fields = fields
    this.#customer = customer
  }

  asEffect(): Effect.Effect<KycValues> {
    return Effect.flatMap(this.#customer, ({ birth_date, cpf, name }) =>
      checkKyc({
        name: name ?? "Ana Exemplo",
        cpf,
        birth_date,
        gender: "F",
        civil_status: "MARRIED",
        mother_name: "Rita Exemplo",
        nationality: "Brasileira",
        document: { type: "RG", number: "123456789", issuer: "SSP", uf: "SP", issued_at: "2010-03-01" },
        email: "ana@example.com",
        phone: "11987654321",
        is_pep: false,
        address: {
          zipcode: "01310100",
          uf: "SP",
          city: "São Paulo",
          neighborhood: "Bela Vista",
          street: "Avenida Paulista",
          number: "1578",
          complement: null
        },
        disbursement_method: "PIX",
        pix: { type: "CPF", key: cpf },
        bank: null,
        ...this.#fields
      } as KycValues))
  }

  /** Overrides fields. */
  with(fields: KycFields): KycBuilder {
    return new KycBuilder({ ...this.#fields, ...fields }, this.#customer)
  }

  /** Sets the customer. */
  for(customer: KnownCustomer): KycBuilder {
    return new KycBuilder(this.#fields, Effect.succeed(customer))
  }

  /** Pays to a bank account instead of a PIX key. Fields of the account that are not set have defaults. */
  paidToBank(fields: Partial<Plain<NonNullable<KycValues["bank"]>>> = {}): KycBuilder {
    return this.with({ disbursement_method: "BANK_TRANSFER", pix: null, bank: { ...exampleBank, ...fields } })
  }

  /** Sets example values of these fields, which a lender can require in addition. */
  requiring(...names: ReadonlyArray<LenderKycField>): KycBuilder {
    return this.with(Struct.pick(exampleLenderFields, names) as KycFields)
  }

  /** Sets fields to null. The KYC is incomplete if a required field is null. */
  without(...names: ReadonlyArray<keyof KycValues>): KycBuilder {
    return this.with(Object.fromEntries(names.map((name) => [name, null])))
  }
}

/** Builds a complete KYC. Default: a new customer, who is paid by PIX with their CPF as the key. */
export const aCompleteKyc = (fields: KycFields = {}): KycBuilder => new KycBuilder(fields, aCustomer())
