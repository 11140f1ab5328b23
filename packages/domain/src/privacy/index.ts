export { anonymiseDeleted } from "./AnonymiseDeleted.ts"
export {
  erasePerson,
  type Erasure,
  type ErasureOptions,
  ErasureTooEarly,
  type KeptRecord,
  type UnfinishedApplication
} from "./ErasePerson.ts"
export { eraseUnsold, type UnsoldErasure } from "./EraseUnsold.ts"
export { exportPerson, type HeldSale, type PersonExport } from "./ExportPerson.ts"
export {
  type ChangePosition,
  type DeletedRecords,
  type HeldPartner,
  type HeldRecords,
  type HeldUser,
  PersonalDataStore,
  type Traces,
  type UnsoldApplications
} from "./PersonalDataStore.ts"
export { defaultDeletedRetentionMs, defaultRetentionYears } from "./Retention.ts"
