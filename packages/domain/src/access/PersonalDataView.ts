import { type Cpf, maskCpf } from "../values/Cpf.ts"
import { Caller } from "./Caller.ts"

/** The form in which a caller sees personal data: in full or masked. */
export type PersonalDataView = "full" | "masked"

/**
 * A caller without the permission `kyc:read` sees masked CPFs. PIX keys and bank accounts are shown in full only in the
 * KYC data.
 * @rule KYC-03
 */
export const personalDataView = (caller: Caller): PersonalDataView => Caller.has(caller, "kyc:read") ? "full" : "masked"

/** Returns the CPF in full or masked, depending on the view. */
export const displayCpf = (cpf: Cpf, view: PersonalDataView): string => view === "full" ? cpf : maskCpf(cpf)
