import { Effect, Option, Redacted } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { GroupSlug } from "../identity/Group.ts"
import { type ClientWithSecret, createApiClient, revokeApiClient, rotateApiClient } from "../operator/apiClients.ts"
import { bootstrap, type BootstrapChoices, type Bootstrapped } from "../operator/bootstrap.ts"
import { createRootPartner } from "../operator/createRootPartner.ts"
import { setPartnerStatus } from "../operator/setPartnerStatus.ts"
import { PartnerStatus } from "../partner/PartnerDetail.ts"
import { decode } from "../validation/decode.ts"
import { identified, type Run } from "./calls.ts"
import {
  type ApiClientSecret,
  type FirstCredentials,
  type Installed,
  type OperatorFunctions
} from "./OperatorFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

const secretOf = (text: string | undefined) => text === undefined ? undefined : Redacted.make(text)

const choices = ({ admin_email, admin_password, client_id, client_secret }: FirstCredentials): BootstrapChoices => ({
  admin_email,
  admin_password: secretOf(admin_password),
  client_id,
  client_secret: secretOf(client_secret)
})

const installed = (made: Bootstrapped): Installed => ({
  ...made,
  admin_password: Redacted.value(made.admin_password),
  client_secret: Redacted.value(made.client_secret)
})

const shown = ({ client, secret }: ClientWithSecret): ApiClientSecret => ({ client, secret: Redacted.value(secret) })

const decodeStatus = decode(PartnerStatus)
const decodeGroup = decode(GroupSlug)

/** The functions of who runs the installation. */
export const operator = (run: Run<UseCasePorts>): OperatorFunctions => ({
  bootstrap: (chosen = {}, options) =>
    run(
      () => Effect.map(bootstrap(choices(chosen)), (made) => Option.getOrNull(Option.map(made, installed))),
      options
    ),
  createRootPartner: (body, options) => run(() => createRootPartner(body), options),
  setPartnerStatus: (partner_id, status, options) =>
    run(() =>
      Effect.flatMap(
        Effect.fromResult(decodeStatus(status, ["status"])),
        (known) => identified(partner_id, (id: PartnerId) => setPartnerStatus(id, known))
      ), options),
  createApiClient: (partner_id, group, { client_id, secret } = {}, options) => {
    const create = (known: GroupSlug) => (id: PartnerId) =>
      createApiClient(id, known, { client_id, secret: secretOf(secret) })
    return run(() =>
      Effect.flatMap(
        Effect.fromResult(decodeGroup(group, ["group"])),
        (known) => Effect.map(identified(partner_id, create(known)), shown)
      ), options)
  },
  rotateApiClient: (client_id, options) => run(() => Effect.map(rotateApiClient(client_id), shown), options),
  revokeApiClient: (client_id, options) => run(() => revokeApiClient(client_id), options)
})
