export { type AuditEntry, AuditLog, RequestId, requestIdOf } from "./AuditLog.ts"
export { maskPersonalData } from "./maskPersonalData.ts"
export { PersonalDataHasher } from "./PersonalDataHasher.ts"
