import { type IdGenerator, type PasswordHasher, type SecretGenerator, type TokenSigner } from "@lastro/domain"
import {
  apiClientContract,
  auditLogContract,
  idempotencyContract,
  installationContract,
  loginAttemptsContract,
  partnerRepositoryContract,
  partnerTreeContract,
  principalContract,
  refreshTokenContract,
  signingKeyContract,
  unitOfWorkContract,
  userRepositoryContract
} from "./administrationContracts.ts"
import { contractSuite } from "./ContractSuite.ts"
import { idGeneratorCases, secretGeneratorCases } from "./generatorCases.ts"
import { lenderContract } from "./lenderCases.ts"
import { originationRulesContract } from "./origination.ts"
import {
  applicationRepositoryContract,
  durableWorkContract,
  kycSuggestionsContract,
  personalDataHasherContract,
  proposalRepositoryContract
} from "./originationContracts.ts"
import { passwordHasherCases } from "./passwordHasherCases.ts"
import { tokenSignerCases } from "./tokenSignerCases.ts"

/** The contract of Installation; its database has to be empty. */
export const installationSuite = contractSuite([installationContract])

/** The contract of SigningKeyRepository; its database must have no key yet. */
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

/** The contract of DurableWork; its lender is the scripted one, which the layer provides beside it. */
export const durableWorkSuite = contractSuite([durableWorkContract])

/** The contract of Lender, for lenders that work by the sandbox's rules, whatever lies between. */
export const lenderSuite = contractSuite([lenderContract])

/** The rules of origination, held by use cases and storage together. */
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

/** The contract of TokenSigner; it runs with the test clock. */
export const tokenSignerSuite = contractSuite<TokenSigner>([{ port: "TokenSigner", cases: [tokenSignerCases] }], "test")
