import { type Cpf, maskCpf } from "../documents/Cpf.ts"
import { type Caller } from "./Caller.ts"

/** Whether personal data is shown in full or masked. */
export type PersonalDataView = "full" | "masked"

/**
 * Without the permission `kyc:read` a caller sees masked CPFs. PIX keys and accounts are shown in full in the KYC only.
 * @rule KYC-03
 */
export const personalDataView = ({ permissions }: Pick<Caller, "permissions">): PersonalDataView =>
  permissions.has("kyc:read") ? "full" : "masked"

/** Returns a CPF, masked if the view is. */
export const displayCpf = (cpf: Cpf, view: PersonalDataView): string => view === "full" ? cpf : maskCpf(cpf)
