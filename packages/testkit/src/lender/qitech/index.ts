export {
  type BalanceOutcome,
  type BalancePeriod,
  type DebtControls,
  type DeliveryOptions,
  type QitechSimulator,
  qitechSimulator,
  type SentWebhook,
  type SimulatedCall,
  type SimulatedDebt,
  type SimulatorFault,
  type SimulatorOptions,
  type WebhookReceiver
} from "./QitechSimulator.ts"
export { type Financial, simulateLoan } from "./simulatorPricing.ts"
