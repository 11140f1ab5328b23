export { layerStatusWatch, type StatusWatchOptions } from "./layerStatusWatch.ts"
export { layerWebhookWorker, type WebhookWorkerOptions } from "./layerWebhookWorker.ts"
export { meterFiber } from "./meterFiber.ts"
export { alarmsAt, type NodeAlarm, NodeAlarms, NodeCondition } from "./NodeCondition.ts"
export { type MetricOnRead, registerMetrics } from "./registerMetrics.ts"
export { replacePorts } from "./replacePorts.ts"
export { layerSandboxLender, type SandboxOptions } from "./sandbox/layerSandboxLender.ts"
export {
  type SandboxAnswer,
  sandboxAnswer,
  type SandboxQuoteRequest,
  type SandboxTable,
  sandboxTables,
  type SandboxTemper
} from "./sandbox/sandboxAnswer.ts"
export { sandboxContract, sandboxPaymentReference } from "./sandbox/sandboxContract.ts"
export { sandboxCpf } from "./sandbox/sandboxCpf.ts"
export { type SandboxDelay, sandboxDelay, type SandboxDelayRequest } from "./sandbox/sandboxDelay.ts"
export { sandboxCancellationReference, sandboxLinkReference, sandboxRefundReference } from "./sandbox/sandboxExits.ts"
export { sandboxInvalid } from "./sandbox/sandboxInvalid.ts"
export { sandboxReference } from "./sandbox/sandboxReference.ts"
export {
  defaultScenario,
  sandboxDigits,
  type SandboxRefusal,
  type SandboxScenario,
  sandboxScenario,
  sandboxScenarios,
  type SandboxStatus
} from "./sandbox/sandboxScenarios.ts"
