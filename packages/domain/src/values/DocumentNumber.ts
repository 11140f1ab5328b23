import { Result, Schema } from "effect"
import { type Problem } from "../input/FieldProblem.ts"
import { schemaOfParser, type TextParser } from "../input/textParser.ts"
import { type Cnpj, parseCnpj } from "./Cnpj.ts"
import { type Cpf, parseCpf } from "./Cpf.ts"

/** A natural person (`pf`, pessoa física) or a legal entity (`pj`, pessoa jurídica). */
export const PersonType = /* @__PURE__ */ (() =>
  Schema.Literals(["pf", "pj"]).annotate({
    description: "pf: natural person, identified by CPF; pj: legal entity, identified by CNPJ"
  }))()
export type PersonType = typeof PersonType.Type

/** The taxpayer number of a natural person (CPF, eleven digits) or a legal entity (CNPJ, fourteen characters). */
export type DocumentNumber = Cpf | Cnpj

/**
 * The document number of a natural person (`pf`) is a CPF. The document number of a legal entity (`pj`) is a CNPJ.
 * @rule DOC-05
 */
export const parseDocumentNumber = (personType: PersonType, input: string): Result.Result<DocumentNumber, Problem> =>
  personType === "pf" ? parseCpf(input) : parseCnpj(input)

/** Returns whether a text is a valid CPF or CNPJ. */
export const isDocumentNumber = (text: string): boolean =>
  Result.isSuccess(parseCpf(text)) || Result.isSuccess(parseCnpj(text))

const parseEither: TextParser<DocumentNumber> = (input) => {
  const cpf: Result.Result<DocumentNumber, Problem> = parseCpf(input)
  return Result.isFailure(cpf) && cpf.failure.code === "INVALID_FORMAT" ? parseCnpj(input) : cpf
}

/**
 * The schema of a document number whose person type is unknown. A text in the format of a CPF is parsed as a CPF, any
 * other text as a CNPJ.
 */
export const DocumentNumber = /* @__PURE__ */ (() =>
  schemaOfParser<DocumentNumber>(parseEither, {
    description:
      "CPF (11 digits) of a natural person or CNPJ (14 characters) of a legal entity, check digits verified. " +
      "The usual punctuation is accepted on input and dropped.",
    examples: ["11222333000181", "11144477735"]
  }))()
