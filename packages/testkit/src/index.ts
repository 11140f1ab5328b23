export * from "./audit/AuditInspector.ts"
export * from "./faults/Faults.ts"
export * from "./faults/faulty.ts"
export {
  type FailureOptions,
  type FaultSwitch,
  type FaultTiming,
  InjectedFault,
  type Intercept,
  type InterceptedCall,
  type PortCall,
  withoutFaults
} from "./faults/PortFault.ts"
export { type CallerReference } from "./fixture/callers.ts"
export { type FixtureClock } from "./fixture/FixtureClock.ts"
export { type FixtureServices } from "./fixture/layerFixture.ts"
export * from "./fixture/openTestLastro.ts"
export * from "./fixture/TestLastro.ts"
export { type TestLender } from "./fixture/TestLender.ts"
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
export { PendingWork, type StoredWork, type Work } from "./memory/PendingWork.ts"
