import { Result } from "effect"
import { parseCnpj } from "../documents/Cnpj.ts"
import { parseCpf } from "../documents/Cpf.ts"

const sane = /^[A-Za-z0-9._-]{1,128}$/

const isDocument = (text: string): boolean => Result.isSuccess(parseCpf(text)) || Result.isSuccess(parseCnpj(text))

/**
 * A request goes by the id that its sender gives it where that is safe to echo, to log and to keep: 1 to 128 characters of
 * `[A-Za-z0-9._-]` that are nobody's document. Else it is as if none was given.
 * @rule AUDIT-03
 */
export const requestIdOf = (text: string | undefined): string | undefined =>
  text !== undefined && sane.test(text) && !isDocument(text) ? text : undefined
