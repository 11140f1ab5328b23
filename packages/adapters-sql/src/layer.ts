import { Layer } from "effect"
import * as ApiClientRepository from "./ApiClientRepository.ts"
import * as ApplicationRepository from "./ApplicationRepository.ts"
import * as AuditLog from "./AuditLog.ts"
import * as CountFolder from "./CountFolder.ts"
import * as IdempotencyStore from "./IdempotencyStore.ts"
import * as Installation from "./Installation.ts"
import * as KycSuggestions from "./KycSuggestions.ts"
import * as LoginAttempts from "./LoginAttempts.ts"
import { migrate } from "./migrate.ts"
import * as PartnerRepository from "./PartnerRepository.ts"
import * as PartnerTree from "./PartnerTree.ts"
import * as PersonalDataHasher from "./PersonalDataHasher.ts"
import * as PgDatabase from "./PgDatabase.ts"
import * as PgliteDatabase from "./PgliteDatabase.ts"
import * as PrincipalRepository from "./PrincipalRepository.ts"
import * as ProposalRepository from "./ProposalRepository.ts"
import * as RefreshTokenRepository from "./RefreshTokenRepository.ts"
import * as SigningKeyRepository from "./SigningKeyRepository.ts"
import * as UnitOfWork from "./UnitOfWork.ts"
import * as UserRepository from "./UserRepository.ts"

/** Every port of the domain that a database implements, over the database that the surroundings provide, migrated. */
export const layer = Layer.mergeAll(
  ApiClientRepository.layer,
  ApplicationRepository.layer,
  AuditLog.layer,
  IdempotencyStore.layer,
  Installation.layer,
  KycSuggestions.layer,
  LoginAttempts.layer,
  PartnerRepository.layer,
  PartnerTree.layer,
  PersonalDataHasher.layer,
  PrincipalRepository.layer,
  ProposalRepository.layer,
  RefreshTokenRepository.layer,
  SigningKeyRepository.layer,
  UnitOfWork.layer,
  UserRepository.layer
)

/** What is started beside the ports. */
export interface StartOptions extends CountFolder.CountFolderOptions {
  /** Whether to bring the schema up to date first; true unless given. */
  readonly migrate?: boolean | undefined
}

/** The ports and the background fold over a database, once that is migrated. */
const started = (options: StartOptions) => {
  const ready = options.migrate === false ? Layer.empty : Layer.effectDiscard(migrate)
  return Layer.merge(layer, CountFolder.layer(options)).pipe(Layer.provide(ready))
}

/** Every port over a PostgreSQL, which is migrated first, with the database's client beside them. */
export const layerPostgres = (options: PgDatabase.PgOptions & StartOptions) =>
  Layer.provideMerge(started(options), PgDatabase.layer(options))

/** Every port over an embedded PGlite, which is migrated first, with the database's client beside them. */
export const layerPglite = (options: PgliteDatabase.PgliteOptions & StartOptions) =>
  Layer.provideMerge(started(options), PgliteDatabase.layer(options))
