export { IdGenerator } from "./IdGenerator.ts"
export { ApplicationId, OfferId, PartnerId, ProposalId, QuoteId, UserId } from "./ids.ts"
export { SecretGenerator } from "./SecretGenerator.ts"
export { parseUuid, Uuid } from "./Uuid.ts"
