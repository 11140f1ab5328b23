export * from "./audit/AuditInspector.ts"
export * from "./faults/Faults.ts"
export * from "./faults/FaultSwitch.ts"
export * from "./faults/faulty.ts"
export * from "./faults/InjectedFault.ts"
export * from "./faults/PortCall.ts"
export { undisturbed } from "./faults/Undisturbed.ts"
export * from "./given/aCaller.ts"
export * from "./given/aClient.ts"
export * from "./given/aCompleteKyc.ts"
export * from "./given/aCustomer.ts"
export * from "./given/anApplication.ts"
export * from "./given/aPartner.ts"
export * from "./given/applicationStages.ts"
export * from "./given/aUser.ts"
export { Builder, type Owner, type Plain } from "./given/Builder.ts"
export {
  CurrentFresh,
  exampleInstant,
  type Fresh,
  freshCpf,
  freshHistory,
  freshId,
  freshInstant,
  freshSecret
} from "./given/Fresh.ts"
export * from "./given/sandboxOutcomes.ts"
export {
  givenApplication,
  givenChild,
  givenContract,
  givenForest,
  givenRoot,
  givenUser,
  type PartnersOf,
  saving
} from "./given/storedRecords.ts"
export * from "./given/TestMistake.ts"
export * from "./lender/layerScriptedLender.ts"
export * from "./lender/lenderRequests.ts"
export * from "./lender/offeredFor.ts"
export { type OfferedFor, offerWithNet } from "./lender/offerWithNet.ts"
export * from "./lender/quoteAnswers.ts"
export * from "./lender/ScriptedLender.ts"
export * from "./memory/layerMemory.ts"
export { MemoryDatabase } from "./memory/MemoryDatabase.ts"
export {
  type MemoryState,
  type StoredApplication,
  type StoredClient,
  type StoredPartner,
  type StoredUser
} from "./memory/MemoryState.ts"
export * from "./memory/PendingWork.ts"
export { type StoredWork, type Work } from "./memory/Work.ts"
export { type Somebody } from "./world/callers.ts"
export { type WorldServices } from "./world/layerWorld.ts"
export * from "./world/openTestLastro.ts"
export * from "./world/TestLastro.ts"
export { type TestLender } from "./world/TestLender.ts"
export { type WorldClock } from "./world/WorldClock.ts"
export * from "./world/WorldOptions.ts"
