import {
  addDays,
  type CalendarDate,
  calendarDate,
  type Cpf,
  type Customer,
  type Email,
  fold,
  type KycValues,
  sandboxDigits,
  sandboxScenarios
} from "@lastro/domain"
import { bankOf } from "./banks.ts"
import { cpfOf } from "./documents.ts"
import { personName } from "./names.ts"
import { addressOf, phoneOf } from "./places.ts"
import { type Randomness, randomness } from "./Randomness.ts"
import { seededIds } from "./seededIds.ts"

/** A customer as an application names it, and everything that can be told of it. */
export interface SeededCustomer {
  readonly customer: Customer
  readonly kyc: KycValues
}

/** CPFs that a customer has to choose from. */
const choices = 8

/** How many of the CPFs are taken for which nothing unusual happens: of all CPFs they are four in five. */
const usualShare = 0.35

/** A CPF of the customer's own. The sandbox lender's answers follow from it: more of them are refusals than by chance. */
const chosenCpf = (index: number, random: Randomness): Cpf => {
  for (let choice = 1; choice < choices; choice++) {
    const cpf = cpfOf("customer", index * choices + choice)
    if (random.chance(usualShare) || sandboxScenarios.has(sandboxDigits(cpf))) return cpf
  }
  return cpfOf("customer", index * choices)
}

const born = calendarDate("1955-01-01")

type Pix = Pick<KycValues, "pix" | "bank" | "disbursement_method">

const payment = (
  { cpf, email, phone }: { readonly cpf: Cpf; readonly email: Email; readonly phone: string },
  evp: string,
  random: Randomness
): Pix => {
  if (random.chance(0.25)) return { disbursement_method: "BANK_TRANSFER", pix: null, bank: bankOf(random) }
  const draw = random.fraction()
  const pix = draw < 0.6
    ? { type: "CPF", key: cpf } as const
    : draw < 0.75
    ? { type: "PHONE", key: `+55${phone}` } as const
    : draw < 0.9
    ? { type: "EMAIL", key: email } as const
    : { type: "EVP", key: evp } as const
  return { disbursement_method: "PIX", pix, bank: null }
}

const genders = ["M", "F"] as const
const civilStatuses = [
  "SINGLE",
  "SINGLE",
  "MARRIED",
  "MARRIED",
  "STABLE_UNION",
  "DIVORCED",
  "WIDOWED",
  "SEPARATED"
] as const

const documentOf = (birth_date: CalendarDate, uf: string | undefined, random: Randomness) => ({
  type: random.chance(0.7) ? "RG" : "CNH",
  number: String(10_000_000 + random.below(90_000_000)),
  issuer: "SSP",
  uf,
  issued_at: addDays(birth_date, 16 * 366 + random.below(365))
})

/** The customer `index` of a seed: the same person, whoever asks. */
export const seededCustomer = (index: number, seed: number): SeededCustomer => {
  const random = randomness(seed, `customer ${index}`)
  const cpf = chosenCpf(index, random)
  const name = personName(random)
  const [first = "", ...others] = fold(name).split(" ")
  const email = `${first}.${others.at(-1)}.${index.toString(36)}@correio.example` as Email
  const phone = phoneOf(random)
  const birth_date = addDays(born, random.below(47 * 365))
  const address = addressOf(random)
  const kyc = {
    name,
    cpf,
    birth_date,
    gender: random.oneOf(genders),
    civil_status: random.oneOf(civilStatuses),
    mother_name: personName(random),
    nationality: "Brasileira",
    document: documentOf(birth_date, address.uf ?? undefined, random),
    email,
    phone,
    is_pep: random.chance(0.005),
    address,
    ...payment({ cpf, email, phone }, seededIds(seed, "pix key")(index, Date.UTC(2020, 10, 5)), random)
  } as KycValues
  return {
    customer: {
      cpf,
      birth_date,
      name: random.chance(0.9) ? kyc.name : null,
      email: random.chance(0.6) ? kyc.email : null,
      phone: random.chance(0.8) ? kyc.phone : null
    },
    kyc
  }
}
