import { Effect, Option, Redacted, type Result } from "effect"
import { GroupSlug } from "../access/Group.ts"
import { type NotFound, parseRecordId } from "../hierarchy/Scope.ts"
import { type ApiClient } from "../identity/ApiClient.ts"
import { decode } from "../input/decode.ts"
import { type ValidationFailed } from "../input/ValidationFailed.ts"
import {
  type ClientWithSecret,
  createApiClient,
  revokeApiClient,
  rotateApiClient,
  type RotationOptions
} from "../operator/apiClients.ts"
import { bootstrap } from "../operator/bootstrap.ts"
import { createRootPartner, setPartnerStatus } from "../operator/partners.ts"
import { recoverAdministrator, type RecoveryOptions } from "../operator/recoverAdministrator.ts"
import { PartnerStatus } from "../partner/PartnerDetail.ts"
import { type CreatePartnerRequest } from "../partner/PartnerRequests.ts"
import { type PartnerId, type UserId } from "../values/ids.ts"
import { Name } from "../values/Name.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Untrusted } from "./OperationFailure.ts"
import { type Run } from "./Run.ts"

/** The ports that the operator's functions need. */
export type PortsOfOperator = Effect.Services<
  ReturnType<
    | typeof bootstrap
    | typeof createApiClient
    | typeof createRootPartner
    | typeof recoverAdministrator
    | typeof revokeApiClient
    | typeof rotateApiClient
    | typeof setPartnerStatus
  >
>

/** The first credentials of an installation. Missing values are generated. */
export interface FirstCredentials {
  readonly admin_email?: string | undefined
  readonly admin_password?: string | undefined
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
}

/**
 * The root partner and the first credentials of an installation. Secrets are in clear text here, and stored only as
 * hashes.
 */
export interface Installed {
  readonly root_id: PartnerId
  readonly admin_email: string
  readonly admin_password: string
  readonly client_id: string
  readonly client_secret: string
}

/** An API client and its secret in clear text. The secret is stored only as a hash. */
export interface ApiClientSecret {
  readonly client: ApiClient
  readonly secret: string
}

/** The client id, the name and the secret of a new API client. A missing id or secret is generated. */
export interface NewApiClient {
  readonly client_id?: string | undefined
  /** The name for people. Default: the `client_id`. */
  readonly name?: string | undefined
  readonly secret?: string | undefined
}

/** The partner of a recovered administrator, and the data of the person for a new user. */
export interface Recovery {
  readonly partner_id?: string | undefined
  readonly person?: RecoveryOptions["person"]
}

/** A recovered administrator, with the new password in clear text. */
export interface RecoveredAdministrator {
  readonly user_id: UserId
  readonly partner_id: PartnerId
  /** True if the user was created. */
  readonly created: boolean
  /** The former group. Null if the user was created. */
  readonly former_group: GroupSlug | null
  /** False if the partner or one of its ancestors is inactive, so that the administrator cannot sign in. */
  readonly partners_active: boolean
  readonly email: string
  readonly password: string
}

/** The errors that `bootstrap` can return. */
export type BootstrapFailure = Effect.Error<ReturnType<typeof bootstrap>>

/** The errors that `createApiClient` can return. */
export type ApiClientFailure = Effect.Error<ReturnType<typeof createApiClient>> | NotFound | ValidationFailed

/** The errors that `recoverAdministrator` can return. */
export type RecoveryFailure = Effect.Error<ReturnType<typeof recoverAdministrator>> | NotFound

const redact = (text: string | undefined) => text === undefined ? undefined : Redacted.make(text)

const revealSecret = ({ client, secret }: ClientWithSecret): ApiClientSecret => ({
  client,
  secret: Redacted.value(secret)
})

const decodeStatus = decode(PartnerStatus)
const decodeGroup = decode(GroupSlug)
const decodeName = decode(Name)
const parsePartnerId = (partner_id: string) => Effect.fromResult(parseRecordId<PartnerId>(String(partner_id)))

/** Creates the operator's functions. */
export const operatorFunctions = (run: Run<PortsOfOperator>) => ({
  /**
   * Fills an empty database with a root partner, an administrator and an API client. Returns null if the database is
   * not empty.
   */
  bootstrap: (
    { admin_email, admin_password, client_id, client_secret }: FirstCredentials = {},
    options?: CallOptions
  ): Promise<Result.Result<Installed | null, BootstrapFailure>> =>
    run(() =>
      Effect.map(
        bootstrap({
          admin_email,
          admin_password: redact(admin_password),
          client_id,
          client_secret: redact(client_secret)
        }),
        (result) =>
          Option.getOrNull(Option.map(result, (secrets): Installed => ({
            ...secrets,
            admin_password: Redacted.value(secrets.admin_password),
            client_secret: Redacted.value(secrets.client_secret)
          })))
      ), options),
  /** Creates the root of a new partner tree. The body has the same form as for `createPartner`. */
  createRootPartner: (body: Untrusted<CreatePartnerRequest>, options?: CallOptions) =>
    run(() => createRootPartner(body), options),
  /**
   * Activates or deactivates a partner. While a partner is inactive, nobody in its subtree can sign in or use a token.
   */
  setPartnerStatus: (partner_id: string, status: PartnerStatus, options?: CallOptions) =>
    run(() =>
      Effect.gen(function*() {
        const decoded = yield* Effect.fromResult(decodeStatus(status, ["status"]))
        return yield* setPartnerStatus(yield* parsePartnerId(partner_id), decoded)
      }), options),
  /** Creates an API client of a partner. A missing client id or secret is generated. */
  createApiClient: (
    partner_id: string,
    group: GroupSlug,
    { client_id, name, secret }: NewApiClient = {},
    options?: CallOptions
  ): Promise<Result.Result<ApiClientSecret, ApiClientFailure>> =>
    run(() =>
      Effect.gen(function*() {
        const decoded = yield* Effect.fromResult(decodeGroup(group, ["group"]))
        const id = yield* parsePartnerId(partner_id)
        const chosen = name === undefined ? undefined : yield* Effect.fromResult(decodeName(name, ["name"]))
        return revealSecret(yield* createApiClient(id, decoded, { client_id, name: chosen, secret: redact(secret) }))
      }), options),
  /**
   * Replaces the secret of an API client. The old secret and its tokens stay valid for the overlap. Default: 24 hours.
   * With 0, they stop working immediately. Fails with EarlierSecretValid if an earlier secret is still valid
   * (CLIENT-07), unless the overlap is 0 or `ends_earlier` is true.
   */
  rotateApiClient: (client_id: string, { ends_earlier, overlap }: RotationOptions = {}, options?: CallOptions) =>
    run(() => Effect.map(rotateApiClient(client_id, { ends_earlier, overlap }), revealSecret), options),
  /**
   * Makes the user with this e-mail address an active administrator with a new password. Without such a user, creates
   * an administrator of the partner from the data of the person. Fails with UserOfAnotherPartner if the user belongs to
   * another partner. The password is returned in clear text, and must be changed at the next sign-in.
   */
  recoverAdministrator: (
    email: string,
    { partner_id, person }: Recovery = {},
    options?: CallOptions
  ): Promise<Result.Result<RecoveredAdministrator, RecoveryFailure>> =>
    run(() =>
      Effect.gen(function*() {
        const partner = partner_id === undefined ? undefined : yield* parsePartnerId(partner_id)
        const { password, ...recovered } = yield* recoverAdministrator(email, { partner_id: partner, person })
        return { ...recovered, password: Redacted.value(password) }
      }), options),
  /** Revokes an API client and its tokens. */
  revokeApiClient: (client_id: string, options?: CallOptions) => run(() => revokeApiClient(client_id), options)
})

/** The operator's functions. They check no permissions, so never expose them to callers. */
export interface OperatorFunctions extends ReturnType<typeof operatorFunctions> {}
