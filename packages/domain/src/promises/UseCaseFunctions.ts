import { callerFunctions } from "./CallerFunctions.ts"
import { hostFunctions } from "./HostFunctions.ts"
import { type IdentityFunctions, identityFunctions } from "./IdentityFunctions.ts"
import { type LastroTransaction } from "./LastroTransaction.ts"
import { lenderFunctions } from "./LenderFunctions.ts"
import { operatorFunctions } from "./OperatorFunctions.ts"
import { privacyFunctions } from "./PrivacyFunctions.ts"
import { type Run } from "./Run.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"
import { workFunctions } from "./WorkFunctions.ts"

/** Every use case as a function that returns a promise. */
export type UseCaseFunctions<More> =
  & Omit<LastroTransaction<More>, "atomically" | "query">
  & Pick<IdentityFunctions, "issueToken">

/** Creates the functions of all use cases. `run` runs each call, for example in a transaction. */
export const useCaseFunctions = <More>(run: Run<UseCasePorts | More>): UseCaseFunctions<More> => ({
  ...callerFunctions(run),
  ...hostFunctions(run),
  ...identityFunctions(run),
  ...lenderFunctions(run),
  ...operatorFunctions(run),
  ...privacyFunctions(run),
  ...workFunctions(run),
  run: (effect, options) => run(() => effect, options)
})

/**
 * Creates the functions of all use cases except `issueToken`, because a rollback would undo its revocation of a
 * session.
 */
export const joinableFunctions = <More>(run: Run<UseCasePorts | More>): Omit<UseCaseFunctions<More>, "issueToken"> => {
  const { issueToken: _, ...functions } = useCaseFunctions<More>(run)
  return functions
}
