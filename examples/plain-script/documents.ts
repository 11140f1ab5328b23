import { maskCpf, parseCnpj, parseCpf, parseEmail, parsePhone, parsePixKey } from "@lastro/domain"

const parsers = { cnpj: parseCnpj, cpf: parseCpf, email: parseEmail, phone: parsePhone }

/** A text in its canonical form, or the code of what is wrong with it. */
export const canonical = (kind: keyof typeof parsers, text: string): string => {
  const read = parsers[kind](text)
  return read._tag === "Success" ? read.success : read.failure.code
}

/** A CPF for people who may not see it whole. */
export const masked = (text: string): string => {
  const cpf = parseCpf(text)
  return cpf._tag === "Success" ? maskCpf(cpf.success) : cpf.failure.code
}

/** A PIX key is read by the type that is given with it: the same digits are a phone number and a CPF. */
export const pixKey = (type: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP", text: string): string => {
  const key = parsePixKey(type, text)
  return key._tag === "Success" ? key.success : key.failure.code
}
