import { Result } from "effect"
import { parseDocumentNumber } from "../documents/DocumentNumber.ts"
import { decode } from "../validation/decode.ts"
import { at, type FieldProblem, type ValidationFailed } from "../validation/FieldProblem.ts"
import { together } from "../validation/together.ts"
import { valueAt } from "../validation/valueAt.ts"
import { CreatePartnerRequest } from "./PartnerRequests.ts"

const decodeRequest = decode(CreatePartnerRequest)

/**
 * A natural person (pf) is identified by a CPF, a legal one (pj) by a CNPJ.
 * @rule PARTNER-01
 */
export const judgeDocument = (type: unknown, document: unknown): Result.Result<void, FieldProblem> =>
  (type === "pf" || type === "pj") && typeof document === "string"
    ? Result.mapBoth(parseDocumentNumber(type, document), {
      onFailure: (problem) => at("partner.document_number", problem),
      onSuccess: () => undefined
    })
    : Result.void

/** Reads the untrusted body that creates a partner, with every problem it has. */
export const parseNewPartner = (body: unknown): Result.Result<CreatePartnerRequest, ValidationFailed> =>
  Result.map(
    together({
      document: judgeDocument(valueAt(body, ["partner", "type"]), valueAt(body, ["partner", "document_number"])),
      request: decodeRequest(body)
    }),
    ({ request }) => request
  )
