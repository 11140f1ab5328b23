import { Result } from "effect"
import { parseCnpj } from "../documents/Cnpj.ts"
import { parseCpf } from "../documents/Cpf.ts"

const safeId = /^[A-Za-z0-9._-]{1,128}$/

const isDocument = (text: string): boolean => Result.isSuccess(parseCpf(text)) || Result.isSuccess(parseCnpj(text))

/**
 * A caller's request id is used if it is safe to echo, log and store: 1 to 128 characters of `[A-Za-z0-9._-]`, and neither a valid CPF
 * nor a valid CNPJ. Any other id is ignored.
 * @rule AUDIT-03
 */
export const requestIdOf = (text: string | undefined): string | undefined =>
  text !== undefined && safeId.test(text) && !isDocument(text) ? text : undefined
