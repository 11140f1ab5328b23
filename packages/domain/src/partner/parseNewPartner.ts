import { Result } from "effect"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { type FieldProblem, fieldProblem } from "../input/FieldProblem.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import { valueAt } from "../input/valueAt.ts"
import { parseDocumentNumber } from "../values/DocumentNumber.ts"
import { parseMetadata } from "../values/parseMetadata.ts"
import { CreatePartnerRequest } from "./PartnerRequests.ts"

const decodeRequest = decodeBody(CreatePartnerRequest)

/**
 * The document number of a new partner matches its type: a CPF for a natural person (`pf`), a CNPJ for a legal entity
 * (`pj`).
 * @rule PARTNER-01
 */
export const judgeDocument = (type: unknown, document: unknown): Result.Result<void, FieldProblem> =>
  (type === "pf" || type === "pj") && typeof document === "string"
    ? Result.mapBoth(parseDocumentNumber(type, document), {
      onFailure: (problem) => fieldProblem("partner.document_number", problem),
      onSuccess: () => undefined
    })
    : Result.void

/** Parses the untrusted body of `createPartner` and reports all problems. */
export const parseNewPartner = (body: unknown): Result.Result<CreatePartnerRequest, ValidationFailed> =>
  Result.map(
    combineChecks({
      document: judgeDocument(valueAt(body, ["partner", "type"]), valueAt(body, ["partner", "document_number"])),
      metadata: parseMetadata(valueAt(body, ["metadata"])),
      request: decodeRequest(body)
    }),
    ({ metadata, request }) => request.metadata === undefined ? request : { ...request, metadata }
  )
