import { type Result } from "effect"
import { type NotFound } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../id/PartnerId.ts"
import { type ApiClient } from "../identity/ApiClient.ts"
import { type GroupSlug } from "../identity/Group.ts"
import { type createApiClient, type revokeApiClient, type rotateApiClient } from "../operator/apiClients.ts"
import { type bootstrap } from "../operator/bootstrap.ts"
import { type createRootPartner } from "../operator/createRootPartner.ts"
import { type setPartnerStatus } from "../operator/setPartnerStatus.ts"
import { type PartnerStatus } from "../partner/PartnerDetail.ts"
import { type ValidationFailed } from "../validation/FieldProblem.ts"
import { type Answer, type RefusalOf } from "./Answer.ts"
import { type CallOptions } from "./CallOptions.ts"

/** What may be chosen of an installation's first credentials; what is not chosen is made up. */
export interface FirstCredentials {
  readonly admin_email?: string | undefined
  readonly admin_password?: string | undefined
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
}

/** The first credentials of an installation, in clear: they are stored nowhere. */
export interface Installed {
  readonly root_id: PartnerId
  readonly admin_email: string
  readonly admin_password: string
  readonly client_id: string
  readonly client_secret: string
}

/** An API client and its secret, in clear: it is stored nowhere. */
export interface ApiClientSecret {
  readonly client: ApiClient
  readonly secret: string
}

/** What no caller may do, and who runs the installation may: these functions ask nobody for permission. */
export interface OperatorFunctions {
  /** Fills an empty database with a root partner, an administrator and an API client; null when it is not empty. */
  readonly bootstrap: (
    choices?: FirstCredentials,
    options?: CallOptions
  ) => Promise<Result.Result<Installed | null, RefusalOf<typeof bootstrap>>>
  /** Adds the root of a new tree of partners; the body is that of `createPartner`. */
  readonly createRootPartner: (body: unknown, options?: CallOptions) => Answer<typeof createRootPartner>
  /** Activates or deactivates a partner, and with it what its whole subtree may do. */
  readonly setPartnerStatus: (
    partner_id: string,
    status: PartnerStatus,
    options?: CallOptions
  ) => Answer<typeof setPartnerStatus, NotFound | ValidationFailed>
  /** Makes an API client of a partner. */
  readonly createApiClient: (
    partner_id: string,
    group: GroupSlug,
    chosen?: { readonly client_id?: string | undefined; readonly secret?: string | undefined },
    options?: CallOptions
  ) => Promise<Result.Result<ApiClientSecret, RefusalOf<typeof createApiClient> | NotFound | ValidationFailed>>
  /** Gives an API client a new secret; the old one and its tokens stop working at once. */
  readonly rotateApiClient: (
    client_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<ApiClientSecret, RefusalOf<typeof rotateApiClient>>>
  /** Ends an API client and its tokens. */
  readonly revokeApiClient: (client_id: string, options?: CallOptions) => Answer<typeof revokeApiClient>
}
