import { type IdGenerator, type SecretGenerator } from "@lastro/domain/id"
import { type PasswordHasher } from "@lastro/domain/identity"
import { type TokenSigner } from "@lastro/domain/token"
import {
  apiClientContract,
  applicationRepositoryContract,
  auditLogContract,
  durableWorkContract,
  idempotencyContract,
  installationContract,
  kycSuggestionsContract,
  lenderContract,
  loginAttemptsContract,
  originationRulesContract,
  partnerRepositoryContract,
  partnerTreeContract,
  personalDataHasherContract,
  principalContract,
  proposalRepositoryContract,
  refreshTokenContract,
  signingKeyContract,
  unitOfWorkContract,
  userRepositoryContract
} from "./contracts.ts"
import { idGeneratorCases, secretGeneratorCases } from "./identity/generatorCases.ts"
import { passwordHasherCases } from "./identity/passwordHasherCases.ts"
import { tokenSignerCases } from "./identity/tokenSignerCases.ts"
import { contractSuite } from "./suite/ContractSuite.ts"

/** The contract of Installation. Requires an empty database. */
export const installationSuite = contractSuite([installationContract])

/** The contract of SigningKeyRepository. Requires a database without signing keys. */
export const signingKeyRepositorySuite = contractSuite([signingKeyContract])

/** The contract of UnitOfWork. */
export const unitOfWorkSuite = contractSuite([unitOfWorkContract])

/** The contract of PartnerRepository. */
export const partnerRepositorySuite = contractSuite([partnerRepositoryContract])

/** The contract of PartnerTree. */
export const partnerTreeSuite = contractSuite([partnerTreeContract])

/** The contract of UserRepository. */
export const userRepositorySuite = contractSuite([userRepositoryContract])

/** The contract of PrincipalRepository. */
export const principalRepositorySuite = contractSuite([principalContract])

/** The contract of ApiClientRepository. */
export const apiClientRepositorySuite = contractSuite([apiClientContract])

/** The contract of RefreshTokenRepository. */
export const refreshTokenRepositorySuite = contractSuite([refreshTokenContract])

/** The contract of LoginAttempts. */
export const loginAttemptsSuite = contractSuite([loginAttemptsContract])

/** The contract of AuditLog. */
export const auditLogSuite = contractSuite([auditLogContract])

/** The contract of IdempotencyStore. */
export const idempotencyStoreSuite = contractSuite([idempotencyContract])

/** The contract of ApplicationRepository. */
export const applicationRepositorySuite = contractSuite([applicationRepositoryContract])

/** The contract of ProposalRepository. */
export const proposalRepositorySuite = contractSuite([proposalRepositoryContract])

/** The contract of KycSuggestions. */
export const kycSuggestionsSuite = contractSuite([kycSuggestionsContract])

/** The contract of PersonalDataHasher. */
export const personalDataHasherSuite = contractSuite([personalDataHasherContract])

/** The contract of DurableWork. The layer also provides the scripted lender, which the jobs call. */
export const durableWorkSuite = contractSuite([durableWorkContract])

/** The contract of Lender. Requires a lender that follows the rules of the sandbox, directly or over HTTP. */
export const lenderSuite = contractSuite([lenderContract])

/** The rules of origination, enforced by the use cases and the storage together. */
export const originationRulesSuite = contractSuite([originationRulesContract])

/** The contract of IdGenerator. */
export const idGeneratorSuite = contractSuite<IdGenerator>([{ port: "IdGenerator", cases: [idGeneratorCases] }])

/** The contract of SecretGenerator. */
export const secretGeneratorSuite = contractSuite<SecretGenerator>([{
  port: "SecretGenerator",
  cases: [secretGeneratorCases]
}])

/** The contract of PasswordHasher. */
export const passwordHasherSuite = contractSuite<PasswordHasher>([{
  port: "PasswordHasher",
  cases: [passwordHasherCases]
}])

/** The contract of TokenSigner. Runs with the test clock. */
export const tokenSignerSuite = contractSuite<TokenSigner>([{ port: "TokenSigner", cases: [tokenSignerCases] }], "test")
