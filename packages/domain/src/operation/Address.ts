import { Result } from "effect"
import { NotFound, parseRecordId } from "../hierarchy/Scope.ts"
import { judgeClientId } from "../identity/ApiClient.ts"
import {
  type ApplicationId,
  type OfferId,
  type PartnerId,
  type ProposalId,
  type UserId,
  type WebhookId
} from "../values/ids.ts"
import { idOrUnknown } from "../values/Uuid.ts"

/**
 * The ids that identify the record of an operation. `Texts` are the ids as the caller sends them, `Ids` the parsed ids.
 */
export interface Address<Texts extends ReadonlyArray<string>, Ids extends ReadonlyArray<string>, E> {
  /** The number of ids that a caller sends. */
  readonly idCount: Texts["length"]
  /** True if the ids identify one record and the operation returns that record. */
  readonly isRecord: boolean
  /** Parses the ids. Fails with NotFound if an id is malformed. */
  readonly parse: (...texts: Texts) => Result.Result<Ids, E>
}

const recordAddress = <Texts extends [string], Id extends string>(): Address<Texts, [Id], NotFound> => ({
  idCount: 1,
  isRecord: true,
  parse: (text) => Result.map(parseRecordId<Id>(text), (id) => [id])
})

/** The address of an operation that takes no ids. */
export const noAddress: Address<[], [], never> = {
  idCount: 0,
  isRecord: false,
  parse: () => Result.succeed([])
}

/** The address of an operation that returns the caller's own record. */
export const self: typeof noAddress = { ...noAddress, isRecord: true }

export const partner = recordAddress<[partner_id: string], PartnerId>()
/** The address of an operation on a partner that does not return the partner. */
export const partnerAction: Address<[partner_id: string], [PartnerId], NotFound> = { ...partner, isRecord: false }

export const user = recordAddress<[user_id: string], UserId>()
export const application = recordAddress<[application_id: string], ApplicationId>()
export const proposal = recordAddress<[proposal_id: string], ProposalId>()

/**
 * The address of an operation on an API client. Parsing fails with NotFound if no client can have the id (CLIENT-01).
 */
export const client: Address<[client_id: string], [string], NotFound> = {
  idCount: 1,
  isRecord: true,
  parse: (client_id) =>
    Result.mapBoth(judgeClientId(client_id), {
      onFailure: () => new NotFound(),
      onSuccess: (id) => [id]
    })
}

export const webhook = recordAddress<[webhook_id: string], WebhookId>()

/** The address of an operation on a webhook whose response is not the webhook. */
export const webhookAction: Address<[webhook_id: string], [WebhookId], NotFound> = { ...webhook, isRecord: false }

/**
 * The address of an operation on the delivery of an event to a webhook. A malformed event id is accepted here, because
 * the use case must first check the caller's access to the webhook.
 */
export const delivery: Address<[webhook_id: string, event_id: string], [WebhookId, string], NotFound> = {
  idCount: 2,
  isRecord: false,
  parse: (webhook_id, event_id) => Result.map(parseRecordId<WebhookId>(webhook_id), (id) => [id, idOrUnknown(event_id)])
}

/**
 * The address of an operation on an offer of an application. A malformed offer id is accepted here, because the use
 * case must first check the caller's access to the application.
 */
export const offer: Address<[application_id: string, offer_id: string], [ApplicationId, OfferId], NotFound> = {
  idCount: 2,
  isRecord: false,
  parse: (application_id, offer_id) =>
    Result.map(parseRecordId<ApplicationId>(application_id), (id) => [id, idOrUnknown<OfferId>(offer_id)])
}
