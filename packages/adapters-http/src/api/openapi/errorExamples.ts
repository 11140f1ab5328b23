import { type FieldProblem, ufs } from "@lastro/domain"
import { oauth2Description } from "../../errors/encodeOAuth2Refusal.ts"
import { messagesEn } from "../../errors/messagesEn.ts"
import { type ApiErrorCode, type ApiErrorResponse } from "../ApiError.ts"
import { type OAuth2ErrorResponse } from "../OAuth2Error.ts"

/** What goes wrong in the examples of the operations that say nothing better. */
const problems: Partial<Record<ApiErrorCode, ReadonlyArray<FieldProblem>>> = {
  VALIDATION_FAILED: [{ field: "query.page", code: "INVALID_TYPE", params: { expected: "integer" } }],
  OFFER_NOT_AVAILABLE: [{ field: "offer_id", code: "EXPIRED" }],
  KYC_INCOMPLETE: [
    { field: "mother_name", code: "REQUIRED" },
    { field: "address.zipcode", code: "REQUIRED" }
  ],
  PARTNER_HAS_DEPENDENTS: [
    { field: "partner_id", code: "HAS_CHILDREN", params: { count: 3 } },
    { field: "partner_id", code: "HAS_USERS", params: { count: 12 } }
  ]
}

/** What goes wrong with what an operation is sent, where there is more to show than a page that is no number. */
export const validationExamples: Readonly<Record<string, ReadonlyArray<FieldProblem>>> = {
  createPartner: [
    { field: "partner.document_number", code: "INVALID_CHECK_DIGIT" },
    { field: "partner.name", code: "REQUIRED" },
    { field: "address.uf", code: "UNKNOWN_VALUE", params: { allowed: ufs.join(", ") } }
  ],
  updatePartner: [
    { field: "partner.document_number", code: "IMMUTABLE" },
    { field: "partner.parent_uuid", code: "CYCLE" }
  ],
  createUser: [
    { field: "cpf", code: "INVALID_CHECK_DIGIT" },
    { field: "partner_id", code: "OUTSIDE_HIERARCHY" },
    { field: "nickname", code: "UNKNOWN_FIELD" }
  ],
  updateUser: [
    { field: "current_password", code: "MISMATCH" },
    { field: "email", code: "NOT_NULLABLE" }
  ],
  searchApplications: [{ field: "query.external_id", code: "REQUIRED" }],
  createApplication: [
    { field: "customer.cpf", code: "INVALID_CHECK_DIGIT" },
    { field: "customer.birth_date", code: "REQUIRED" },
    { field: "max_installments", code: "OUT_OF_RANGE", params: { min: 1, max: 10 } }
  ],
  requoteApplication: [{ field: "desired_amount", code: "INVALID_FORMAT", params: { decimals: 2 } }],
  acceptOffer: [{ field: "terms_accepted", code: "REQUIRED" }],
  submitKyc: [
    { field: "cpf", code: "MISMATCH" },
    { field: "address.zipcode", code: "INVALID_FORMAT" }
  ],
  getApplication: [{ field: "query.include", code: "UNKNOWN_VALUE", params: { allowed: "quotes" } }],
  getApplicationStatus: [{ field: "query.wait", code: "INVALID_TYPE", params: { expected: "integer" } }]
}

/** The error envelope with this code, in the words the server uses. */
export const errorExample = (code: ApiErrorCode, details = problems[code] ?? []): ApiErrorResponse => ({
  error: {
    code,
    message: messagesEn.errors[code],
    request_id: "0197f3a2-9f50-7182-8c8e-3f4051627384",
    details: details.map((problem) => ({ ...problem, message: messagesEn.fields[problem.code](problem.params ?? {}) }))
  }
})

const descriptions: Readonly<Record<OAuth2ErrorResponse["error"], string>> = {
  invalid_request: "grant_type is missing.",
  invalid_client: "The client is unknown or its secret is wrong.",
  invalid_grant: "The username or the password is wrong.",
  unsupported_grant_type: "The grants are client_credentials, password and refresh_token.",
  invalid_scope: "The scope names more than is allowed.",
  server_error: messagesEn.errors.INTERNAL_ERROR,
  temporarily_unavailable: messagesEn.errors.RATE_LIMITED
}

const ofStatus: Readonly<Record<number, ApiErrorCode>> = {
  405: "METHOD_NOT_ALLOWED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  503: "SERVICE_UNAVAILABLE"
}

/** The error of a token operation with this code and status, in the words the server uses. */
export const oauth2ErrorExample = (error: OAuth2ErrorResponse["error"], status: number): OAuth2ErrorResponse => {
  const code = ofStatus[status]
  return { error, error_description: code === undefined ? descriptions[error] : oauth2Description(code) }
}
