import { Predicate, Result } from "effect"
import { PermissionDenied } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { valueAt } from "../input/valueAt.ts"
import { type KycSubject } from "./KycValues.ts"

const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** Returns whether a submission is compared with the customer's CPF: it contains a CPF, or changes a PIX key of type CPF. */
const mentionsCpf = ({ kyc }: Pick<KycSubject, "kyc">, body: unknown): boolean => {
  const type = valueAt(body, ["pix", "type"]) ?? kyc?.pix?.type
  return isPresent(valueAt(body, ["cpf"])) || (type === "CPF" && Predicate.isReadonlyObject(valueAt(body, ["pix"])))
}

/**
 * A caller without `kyc:read` can submit the CPF, or a PIX key that is a CPF, only for an application that it created.
 * For another application, the response would confirm a guess of the masked CPF.
 * @rule KYC-11
 */
export const judgeCpfSubmission = (
  caller: Pick<Caller, "permissions" | "subject">,
  application: Pick<KycSubject, "kyc"> & { readonly created_by: string },
  body: unknown
): Result.Result<void, PermissionDenied> =>
  personalDataView(caller) === "masked" && application.created_by !== caller.subject && mentionsCpf(application, body)
    ? Result.fail(new PermissionDenied())
    : Result.void
