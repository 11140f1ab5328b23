import { type FieldErrorCode, type ProblemParams } from "@lastro/domain"
import { type ApiErrorCode } from "../api/ApiError.ts"

/** What people read beside each code, in one language. */
export interface Messages {
  readonly errors: Readonly<Record<ApiErrorCode, string>>
  readonly fields: Readonly<Record<FieldErrorCode, (params: ProblemParams) => string>>
}
