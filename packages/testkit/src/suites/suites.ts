import { type CommonPasswords, type PasswordHasher, type TokenSigner } from "@lastro/domain/identity"
import { type IdGenerator, type SecretGenerator } from "@lastro/domain/ports"
import {
  apiClientContract,
  applicationRepositoryContract,
  auditLogContract,
  auditTrailContract,
  documentSourceContract,
  durableNodesContract,
  durableWorkContract,
  hostTransactionsContract,
  idempotencyContract,
  installationContract,
  kycSuggestionsContract,
  lenderThrottleContract,
  loginAttemptsContract,
  originationRulesContract,
  partnerRepositoryContract,
  partnerTreeContract,
  personalDataHasherContract,
  personalDataStoreContract,
  principalContract,
  proposalRepositoryContract,
  refreshTokenContract,
  signingKeyContract,
  storedJobsContract,
  unitOfWorkContract,
  userRepositoryContract
} from "./contracts.ts"
import { commonPasswordsCases } from "./identity/commonPasswordsCases.ts"
import { idGeneratorCases, secretGeneratorCases } from "./identity/generatorCases.ts"
import { passwordHasherCases } from "./identity/passwordHasherCases.ts"
import { tokenSignerCases } from "./identity/tokenSignerCases.ts"
import { contractSuite } from "./suite/ContractSuite.ts"

/** Contract suite for Installation. Requires an empty database. */
export const installationSuite = contractSuite([installationContract])

/** Contract suite for SigningKeyRepository. Requires a database without signing keys. */
export const signingKeyRepositorySuite = contractSuite([signingKeyContract])

/** Contract suite for UnitOfWork. */
export const unitOfWorkSuite = contractSuite([unitOfWorkContract])

/** Contract suite for HostTransactions. The layer has to provide all ports of the use cases, and an AuditInspector. */
export const hostTransactionsSuite = contractSuite([hostTransactionsContract])

/** Contract suite for PartnerRepository. */
export const partnerRepositorySuite = contractSuite([partnerRepositoryContract])

/** Contract suite for PartnerTree. */
export const partnerTreeSuite = contractSuite([partnerTreeContract])

/** Contract suite for UserRepository. */
export const userRepositorySuite = contractSuite([userRepositoryContract])

/** Contract suite for PrincipalRepository. */
export const principalRepositorySuite = contractSuite([principalContract])

/** Contract suite for ApiClientRepository. */
export const apiClientRepositorySuite = contractSuite([apiClientContract])

/** Contract suite for RefreshTokenRepository. */
export const refreshTokenRepositorySuite = contractSuite([refreshTokenContract])

/** Contract suite for LoginAttempts. */
export const loginAttemptsSuite = contractSuite([loginAttemptsContract])

/** Contract suite for AuditLog. */
export const auditLogSuite = contractSuite([auditLogContract])

/** Contract suite for AuditTrail. */
export const auditTrailSuite = contractSuite([auditTrailContract])

/** Contract suite for IdempotencyStore. */
export const idempotencyStoreSuite = contractSuite([idempotencyContract])

/** Contract suite for ApplicationRepository. */
export const applicationRepositorySuite = contractSuite([applicationRepositoryContract])

/** Contract suite for ProposalRepository. */
export const proposalRepositorySuite = contractSuite([proposalRepositoryContract])

/** Contract suite for KycSuggestions. */
export const kycSuggestionsSuite = contractSuite([kycSuggestionsContract])

/** Contract suite for PersonalDataHasher. */
export const personalDataHasherSuite = contractSuite([personalDataHasherContract])

/** Contract suite for PersonalDataStore. */
export const personalDataStoreSuite = contractSuite([personalDataStoreContract])

/** Contract suite for DurableWork and StoredJobs. The layer also has to provide the scripted lender, which the jobs call. */
export const durableWorkSuite = contractSuite([durableWorkContract, storedJobsContract])

/** Contract suite for two nodes on one store: leases, fences and takeover. For stores that several processes can open. */
export const durableNodesSuite = contractSuite([durableNodesContract])

/** Contract suite for DocumentSource. The layer also has to provide StoredDocuments, which stores documents for the source. */
export const documentSourceSuite = contractSuite([documentSourceContract])

/** Contract suite for LenderThrottle. */
export const lenderThrottleSuite = contractSuite([lenderThrottleContract])

/** Contract suite for the rules of loan origination, which use cases and storage enforce together. */
export const originationRulesSuite = contractSuite([originationRulesContract])

/** Contract suite for IdGenerator. */
export const idGeneratorSuite = contractSuite<IdGenerator>([{ port: "IdGenerator", cases: [idGeneratorCases] }])

/** Contract suite for SecretGenerator. */
export const secretGeneratorSuite = contractSuite<SecretGenerator>([{
  port: "SecretGenerator",
  cases: [secretGeneratorCases]
}])

/** Contract suite for PasswordHasher. */
export const passwordHasherSuite = contractSuite<PasswordHasher>([{
  port: "PasswordHasher",
  cases: [passwordHasherCases]
}])

/** Contract suite for CommonPasswords. */
export const commonPasswordsSuite = contractSuite<CommonPasswords>([{
  port: "CommonPasswords",
  cases: [commonPasswordsCases]
}])

/** Contract suite for TokenSigner. Uses the test clock. */
export const tokenSignerSuite = contractSuite<TokenSigner>([{ port: "TokenSigner", cases: [tokenSignerCases] }], "test")
