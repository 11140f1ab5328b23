export { type AuditEntry, AuditLog, parseRequestId, RequestId } from "./AuditLog.ts"
export { maskPersonalData } from "./maskPersonalData.ts"
export { PersonalDataHasher } from "./PersonalDataHasher.ts"
