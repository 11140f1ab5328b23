export { type Disbursement, disbursementOf } from "./Disbursement.ts"
export { FgtsKyc, fgtsKyc, KycStatus } from "./FgtsKyc.ts"
export { KycDocumentKind, KycDocumentReference } from "./KycDocumentReference.ts"
export { basicRequirements, type KycRequirements, type LenderKycField, lenderKycFields } from "./KycRequirements.ts"
export { Customer } from "./KycValues.ts"
export {
  CivilStatus,
  DisbursementMethod,
  emptyKyc,
  Gender,
  IdentityDocumentType,
  kycFields,
  kycGroups,
  type KycSubject,
  KycValues
} from "./KycValues.ts"
export { Education } from "./lenderFields.ts"
export { isComplete, missingFields } from "./missingFields.ts"
export { judgeKycIdentity, judgePixKey, patchKyc } from "./patchKyc.ts"
export { isSamePerson } from "./prefill.ts"
