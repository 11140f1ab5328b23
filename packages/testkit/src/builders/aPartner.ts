import { PartnerDetail } from "@lastro/domain/partner"
import {
  type Address,
  type BankAccount,
  DocumentNumber,
  Email,
  type Metadata,
  Name,
  parsePixKey,
  type PartnerId,
  Phone,
  type Pix,
  type PixKeyType
} from "@lastro/domain/values"
import { Effect, Result, Schema } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"
import { Builder, checkRecord, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshCpf, freshId, freshInstant } from "./Fresh.ts"

/** An example address of a partner. */
export const exampleAddress = {
  zipcode: "01310100",
  uf: "SP",
  city: "São Paulo",
  district: null,
  neighborhood: "Bela Vista",
  street: "Avenida Paulista",
  number: "1578",
  complement: "Apto 42"
} as Address

/** An example bank account of a partner. */
export const exampleBankAccount = {
  type: "CC",
  agency: "1234",
  bank_code: "341",
  agency_digit: null,
  account_number: "00012345",
  account_digit: "X"
} as BankAccount

/** Example metadata, with keys and values that careless code corrupts. */
export const exampleMetadata: Metadata = Object.fromEntries([
  ["plan", "gold"],
  ["__proto__", "a prototype"],
  ["constructor", ""],
  ["2", " \t\r\n "],
  ["Ação 🏦 'ç\"\\%_.$", "e\u0301 \ufeff\u{10ffff}\uffff"]
])

/** Fields of a partner that override the defaults. */
export type PartnerFields = Partial<Plain<PartnerDetail>>

const checkPartner = checkRecord(
  "aPartner",
  Schema.Struct({ ...PartnerDetail.fields, name: Name, email: Email, phone: Phone, document_number: DocumentNumber })
)

/** Builds a partner ({@link aPartner}). */
export class PartnerBuilder extends Builder<PartnerDetail> {
  readonly #fields: PartnerFields

  constructor(fields: PartnerFields) {
    super()
    this.#fields = fields
  }

  asEffect(): Effect.Effect<PartnerDetail> {
    return Effect.gen({ self: this }, function*() {
      return yield* checkPartner({
        partner_id: (yield* freshId) as PartnerId,
        name: "Parceira Exemplo",
        status: "active",
        email: "parceira@example.com",
        phone: "11987654321",
        pix: null,
        address: null,
        document_number: yield* freshCpf,
        person_type: "pf",
        created_at: yield* freshInstant,
        parent_id: null,
        bank_account: null,
        metadata: {},
        ...this.#fields
      } as PartnerDetail)
    })
  }

  /** Overrides fields. */
  with(fields: PartnerFields): PartnerBuilder {
    return new PartnerBuilder({ ...this.#fields, ...fields })
  }

  /** Sets the name. */
  named(name: string): PartnerBuilder {
    return this.with({ name })
  }

  /** Sets the parent partner. Default: none, so the partner is a root. */
  under(parent: Owner): PartnerBuilder {
    return this.with({ parent_id: partnerIdOf(parent) })
  }

  /** Deactivates the partner. No user or API client in its subtree can authenticate. */
  inactive(): PartnerBuilder {
    return this.with({ status: "inactive" })
  }

  /** Makes the partner a legal person with this CNPJ. Default: a natural person. */
  withCnpj(document_number: string): PartnerBuilder {
    return this.with({ document_number, person_type: "pj" })
  }

  /** Sets the metadata. Default: none. */
  withMetadata(metadata: Metadata): PartnerBuilder {
    return this.with({ metadata })
  }

  /** Sets the PIX key, in any format that is valid for its type. Throws a `TestMistake` if the key is invalid. */
  withPix(type: PixKeyType, key: string): PartnerBuilder {
    const parsed = parsePixKey(type, key)
    if (Result.isFailure(parsed)) {
      throw new TestMistake(`Invalid PIX key of type ${type}: ${parsed.failure.code}.`, { cause: parsed.failure })
    }
    const pix: Pix = { key: parsed.success, type }
    return this.with({ pix })
  }

  /** Sets the address. Fields that are not set have defaults. */
  withAddress(fields: Partial<Plain<Address>> = {}): PartnerBuilder {
    return this.with({ address: { ...exampleAddress, ...fields } })
  }

  /** Sets the bank account. Fields that are not set have defaults. */
  withBankAccount(fields: Partial<Plain<BankAccount>> = {}): PartnerBuilder {
    return this.with({ bank_account: { ...exampleBankAccount, ...fields } })
  }
}

/** Builds a partner. Default: a natural person at the root of a new tree, with a new id and document number. */
export const aPartner = (fields: PartnerFields = {}): PartnerBuilder => new PartnerBuilder(fields)
/**
 * A partner with every optional field set. Careless code corrupts its values: accents, quotes, leading zeros and
 * milliseconds.
 */
export const completePartner: PartnerBuilder = aPartner({
  name: "João D'Ávila & Filhos \"Ζ\" 100%_\\ 🏦",
  email: "João.D'Ávila@Exemplo.com.br",
  phone: "1133334444",
  created_at: "2024-02-29T23:59:59.987Z",
  metadata: exampleMetadata
}).inactive().withCnpj("12ABC34501DE35").withPix("EMAIL", "maria.silva@example.com").withAddress().withBankAccount()
