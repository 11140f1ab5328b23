export { anonymiseDeleted } from "./AnonymiseDeleted.ts"
export {
  erasePerson,
  type Erasure,
  type ErasureOptions,
  ErasureTooEarly,
  type KeptRecord,
  type UnfinishedApplication
} from "./ErasePerson.ts"
export { exportPerson, type HeldSale, type PersonExport } from "./ExportPerson.ts"
export {
  type DeletedRecords,
  type HeldPartner,
  type HeldRecords,
  type HeldUser,
  PersonalDataStore,
  type Traces
} from "./PersonalDataStore.ts"
export { defaultDeletedRetentionMs, defaultRetentionYears } from "./Retention.ts"
