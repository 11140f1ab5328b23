import { type Cpf, maskCpf } from "../documents/Cpf.ts"
import { type Caller } from "./Caller.ts"

/** How much of a person's data is shown. */
export type PersonalDataView = "full" | "masked"

/**
 * Whoever may not read KYC is shown CPFs masked; keys and accounts are shown in full to nobody but in the KYC itself.
 * @rule KYC-03
 */
export const personalDataView = ({ permissions }: Pick<Caller, "permissions">): PersonalDataView =>
  permissions.has("kyc:read") ? "full" : "masked"

/** A CPF as it is shown. */
export const shownCpf = (cpf: Cpf, view: PersonalDataView): string => view === "full" ? cpf : maskCpf(cpf)
