export * from "./combinedSuites.ts"
export { type WorkNode, WorkNodes } from "./jobs/durableNodesCases.ts"
export {
  type CallbackFixture,
  type ExitRefusalFixture,
  type FailingFixture,
  type FollowedContract,
  type Impossible,
  impossible,
  type InvalidFixture,
  type LenderFailure,
  type LenderFixture,
  type LenderFixtures,
  type LenderStep,
  type PaymentFixture,
  type QuoteRefusal,
  quoteRefusals,
  type RefusalFixture,
  type ThrottledFixture
} from "./lender/LenderFixtures.ts"
export { lenderSuite, type LenderSuiteOptions } from "./lender/lenderSuite.ts"
export { sandboxLenderFixtures } from "./lender/sandboxLenderFixtures.ts"
export * from "./originationSuites.ts"
export {
  type Contract,
  type ContractCases,
  type ContractOptions,
  type ContractSuite,
  contractSuite,
  type RegisterCase
} from "./suite/ContractSuite.ts"
export { type CaseContext, type JestGlobals, jestRunner, type Runner } from "./suite/Runner.ts"
export * from "./suites.ts"
