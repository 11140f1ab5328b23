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
export * from "./given/Builder.ts"
export * from "./given/exampleInstant.ts"
export { CurrentFresh, type Fresh } from "./given/Fresh.ts"
export * from "./given/freshHistory.ts"
export * from "./given/freshId.ts"
export * from "./given/freshSecret.ts"
export * from "./given/givenApplication.ts"
export * from "./given/givenForest.ts"
export * from "./given/givenPartner.ts"
export * from "./given/givenUser.ts"
export { type Owner } from "./given/Owner.ts"
export * from "./given/Plain.ts"
export * from "./given/sandboxOutcomes.ts"
export * from "./given/TestMistake.ts"
export * from "./given/wholePartner.ts"
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
