import {
  type Address,
  type BankAccount,
  parsePixKey,
  type PartnerDetail,
  type PartnerId,
  type Pix,
  type PixKeyType
} from "@lastro/domain"
import { Effect, Result } from "effect"
import { Builder, type Owner, partnerIdOf, type Plain } from "./Builder.ts"
import { freshCpf, freshId, freshInstant } from "./Fresh.ts"
import { TestMistake } from "./TestMistake.ts"

/** An address that a partner can have. */
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

/** An account that a partner can be paid to. */
export const exampleBankAccount = {
  type: "CC",
  agency: "1234",
  bank_code: "341",
  agency_digit: null,
  account_number: "00012345",
  account_digit: "X"
} as BankAccount

/** What a partner can be given. */
export type PartnerFields = Partial<Plain<PartnerDetail>>

/** Describes a partner: see {@link aPartner}. */
export class PartnerBuilder extends Builder<PartnerDetail> {
  readonly #fields: PartnerFields

  constructor(fields: PartnerFields) {
    super()
    this.#fields = fields
  }

  asEffect(): Effect.Effect<PartnerDetail> {
    return Effect.gen({ self: this }, function*() {
      return {
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
        ...this.#fields
      } as PartnerDetail
    })
  }

  /** The same partner but for these fields. */
  with(fields: PartnerFields): PartnerBuilder {
    return new PartnerBuilder({ ...this.#fields, ...fields })
  }

  /** Under this name. */
  named(name: string): PartnerBuilder {
    return this.with({ name })
  }

  /** Below another partner; a partner is the root of a tree of its own otherwise. */
  under(parent: Owner): PartnerBuilder {
    return this.with({ parent_id: partnerIdOf(parent) })
  }

  /** Inactive, which blocks everybody in its subtree. */
  inactive(): PartnerBuilder {
    return this.with({ status: "inactive" })
  }

  /** A legal person with this CNPJ; a natural person otherwise. */
  withCnpj(document_number: string): PartnerBuilder {
    return this.with({ document_number, person_type: "pj" })
  }

  /** Paid by PIX to this key, in any form that its type is written in. Throws a `TestMistake` for what is no such key. */
  withPix(type: PixKeyType, key: string): PartnerBuilder {
    const parsed = parsePixKey(type, key)
    if (Result.isFailure(parsed)) {
      throw new TestMistake(`this is no PIX key of type ${type}: ${parsed.failure.code}`, { cause: parsed.failure })
    }
    const pix: Pix = { key: parsed.success, type }
    return this.with({ pix })
  }

  /** At an address, with the example's where a field is not given. */
  withAddress(fields: Partial<Plain<Address>> = {}): PartnerBuilder {
    return this.with({ address: { ...exampleAddress, ...fields } })
  }

  /** With a bank account, with the example's where a field is not given. */
  withBankAccount(fields: Partial<Plain<BankAccount>> = {}): PartnerBuilder {
    return this.with({ bank_account: { ...exampleBankAccount, ...fields } })
  }
}

/** A natural person as the root of a tree of its own, with a fresh id and document; the fields given replace the example's. */
export const aPartner = (fields: PartnerFields = {}): PartnerBuilder => new PartnerBuilder(fields)
export const wholePartner: PartnerBuilder = aPartner({
  name: "João D'Ávila & Filhos \"Ζ\" 100%_\\ 🏦",
  email: "João.D'Ávila@Exemplo.com.br",
  phone: "1133334444",
  created_at: "2024-02-29T23:59:59.987Z"
}).inactive().withCnpj("12ABC34501DE35").withPix("EMAIL", "maria.silva@example.com").withAddress().withBankAccount()
