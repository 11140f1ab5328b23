export * from "./combinedSuites.ts"
export { type WorkNode, WorkNodes } from "./jobs/WorkNodes.ts"
export {
  type CallbackFixture,
  type FollowedContract,
  type Impossible,
  impossible,
  type InvalidFixture,
  type LenderFixture,
  type LenderFixtures,
  type LenderStep,
  type PaymentFixture,
  type QuoteRefusal,
  quoteRefusals
} from "./lender/LenderFixtures.ts"
export { sandboxLenderFixtures } from "./lender/sandboxLenderFixtures.ts"
export { lenderSuite, type LenderSuiteOptions } from "./lenderSuite.ts"
export * from "./suite/ContractSuite.ts"
export { type JestGlobals, jestRunner } from "./suite/jestRunner.ts"
export { type CaseContext, type Runner } from "./suite/Runner.ts"
export * from "./suites.ts"
