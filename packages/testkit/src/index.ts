export * from "./builders/aCaller.ts"
export * from "./builders/aClient.ts"
export { aCommissionEntry, aCommissionPlan } from "./builders/aCommissionEntry.ts"
export * from "./builders/aCompleteKyc.ts"
export * from "./builders/aCustomer.ts"
export * from "./builders/anApplication.ts"
export * from "./builders/aPartner.ts"
export * from "./builders/applicationStages.ts"
export * from "./builders/aUser.ts"
export { aWebhook, storeWebhook } from "./builders/aWebhook.ts"
export { Builder, type Owner, type Plain } from "./builders/Builder.ts"
export {
  CurrentFresh,
  exampleInstant,
  type Fresh,
  freshCpf,
  freshHistory,
  freshId,
  freshInstant,
  freshSecret
} from "./builders/Fresh.ts"
export {
  type PartnersOf,
  saveApplication,
  storeApplication,
  storeChildPartner,
  storeContractedApplication,
  storeForest,
  storeRootPartner,
  storeUser
} from "./builders/storedRecords.ts"
export * from "./faults/Faults.ts"
export * from "./faults/faulty.ts"
export {
  type FailureOptions,
  type FaultSwitch,
  type FaultTiming,
  InjectedFault,
  type Intercept,
  type InterceptedCall,
  type PortCall
} from "./faults/PortFault.ts"
export { type CallerReference } from "./fixture/callers.ts"
export { type FixtureClock } from "./fixture/FixtureClock.ts"
export { type FixturePorts, type FixtureServices } from "./fixture/layerFixture.ts"
export { openTestLastro } from "./fixture/openFixture.ts"
export * from "./fixture/TestLastro.ts"
export { type TestLender } from "./fixture/TestLender.ts"
export { layerScriptedLender } from "./lender/layerScriptedLender.ts"
export { layerScriptedLenders, ScriptedLenders } from "./lender/layerScriptedLenders.ts"
export * from "./lender/lenderRequests.ts"
export * from "./lender/quoteAnswers.ts"
export * from "./lender/ScriptedLender.ts"
export { AuditInspector } from "./memory/audit.ts"
export { IdempotencyInspector } from "./memory/idempotency.ts"
export {
  layerMemory,
  layerMemoryByHand,
  layerMemoryByHandNoLender,
  layerMemoryNoLender,
  layerMemorySlots,
  layerMemoryStorage,
  layerMemoryWith
} from "./memory/layerMemory.ts"
export { StoredDocuments } from "./memory/lender.ts"
export { type AnswerStatement, MemoryClient } from "./memory/MemoryClient.ts"
export { MemoryDatabase } from "./memory/MemoryDatabase.ts"
export {
  type MemoryState,
  type StoredApplication,
  type StoredClient,
  type StoredPartner,
  type StoredUser
} from "./memory/MemoryState.ts"
export { type MemoryJob as StoredJob, PendingWork } from "./memory/PendingWork.ts"
export * from "./mistake/TestMistake.ts"
export * from "./offer/offerWithNet.ts"
export { type SpoiledOffer, spoiledOffers, spoilOffer } from "./offer/spoilOffer.ts"
export {
  type EndpointBehaviour,
  layerRecordingWebhookSender,
  RecordingWebhookSender,
  type SentWebhook,
  webhookAnswer
} from "./webhook/RecordingWebhookSender.ts"
