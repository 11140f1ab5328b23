import { maskCpf, parseCnpj, parseCpf, parseEmail, parsePhone, parsePixKey } from "@lastro/domain/values"

const parsers = { cnpj: parseCnpj, cpf: parseCpf, email: parseEmail, phone: parsePhone }

/** Returns the canonical form of a text, or the code of the validation problem. */
export const canonicalForm = (kind: keyof typeof parsers, text: string): string => {
  const read = parsers[kind](text)
  return read._tag === "Success" ? read.success : read.failure.code
}

/** Masks a CPF. Returns the code of the validation problem if the CPF is invalid. */
export const maskDocument = (text: string): string => {
  const cpf = parseCpf(text)
  return cpf._tag === "Success" ? maskCpf(cpf.success) : cpf.failure.code
}

/**
 * Returns the canonical form of a PIX key. The type is required, because the same digits can be a phone number or a CPF.
 */
export const canonicalPixKey = (type: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP", text: string): string => {
  const key = parsePixKey(type, text)
  return key._tag === "Success" ? key.success : key.failure.code
}
