import { groupBySlug } from "@lastro/domain/access"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type ClientWithSecret } from "@lastro/domain/client"
import { CommissionLedger, type Period } from "@lastro/domain/commission"
import { asOperator, judgeFound } from "@lastro/domain/hierarchy"
import { type SigningKey, SigningKeyRepository } from "@lastro/domain/identity"
import { pollContract, runQuote, submitContract } from "@lastro/domain/jobs"
import { latestQuote } from "@lastro/domain/loan"
import { type operations } from "@lastro/domain/operation"
import { retireSigningKey, revokeSigningKey } from "@lastro/domain/operator"
import { ApplicationRepository } from "@lastro/domain/origination"
import { type IdentityFunctions, type OperatorFunctions } from "@lastro/domain/promises"
import { type ApplicationId, centavos, type OfferId, type ProposalId } from "@lastro/domain/values"
import { type DeliveryRecord, type WebhookWithSecret } from "@lastro/domain/webhook"
import { aCommissionEntry, aCompleteKyc, exampleInstant } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { type FaultyLastro } from "./faultyLastro.ts"
import { withoutAnswer } from "./withoutAnswer.ts"

/** A use case that writes. */
export interface WriteCase {
  /** Prepares the database. Returns the call, which takes an idempotency key. */
  readonly arrange: (
    node: FaultyLastro
  ) => Promise<(idempotency_key: string) => Promise<Result.Result<unknown, unknown>>>
  /** True if a second call returns the result of the first. */
  readonly isRepeatable?: boolean
}

type Operations = typeof operations

/** The operations that take a body, or delete. A new operation needs a case here: without it this does not compile. */
type WriteOperation = {
  [Name in keyof Operations]: Operations[Name]["takes"] extends
    "command" | "optional command" | "file" | "patch" | "deletion" ? Name
    : never
}[keyof Operations]

/** The functions for sign-in that write. */
type SignIn = Exclude<keyof IdentityFunctions, "callerOfToken" | "callerOfUser" | "callerOfClient">

/** The other use cases that write: durable jobs, and the operator's commands on signing keys. */
type Other =
  | "runQuote"
  | "submitContract"
  | "pollContract"
  | "insertSigningKey"
  | "retireSigningKey"
  | "revokeSigningKey"

const head = { admin_email: "ana@example.com", admin_password: "a long enough password", client_id: "head-office" }
const secret = "the-secret-of-the-head-office"

/** Installs a tree with an API client, and returns the caller. */
const install = async ({ lastro }: FaultyLastro) => {
  const installed = Result.getOrThrow(await lastro.bootstrap({ ...head, client_secret: secret }))
  const caller = Result.getOrThrow(await lastro.callerOfClient(head.client_id))
  return { caller, root_id: installed?.root_id ?? "" }
}

const newPartner = (document_number: string, fields: object = {}) => ({
  partner: {
    type: "pf",
    name: "Bia Souza",
    email: `bia.${document_number}@example.com`,
    phone: "11987654321",
    document_number,
    ...fields
  }
})

const newUser = (cpf: string, fields: object = {}) => ({
  name: "José Lima",
  email: `jose.${cpf}@example.com`,
  phone: "11987654321",
  cpf,
  group_id: groupBySlug("manager").group_id,
  ...fields
})

/** The sandbox fails the first payment to a customer with this CPF and makes the second. */
const customer = { cpf: sandboxCpf("88"), birth_date: "1990-05-17", name: "Maria da Conceição" }
const kyc = aCompleteKyc().for(customer).build()

/** Opens an application, and returns it with functions that take it further. */
const open = async (node: FaultyLastro) => {
  const { lastro } = node
  const { caller } = await install(node)
  const { application_id } = Result.getOrThrow(
    await lastro.createApplication(caller, { external_id: "loan-1", customer })
  )
  const read = async () =>
    Result.getOrThrow(
      await lastro.run(Effect.flatMap(ApplicationRepository, (applications) =>
        Effect.map(
          applications.find(asOperator.scope(caller.partner_id), application_id as ApplicationId),
          (found) => Result.getOrThrow(judgeFound(found)).record
        )))
    )
  const quote = async () => lastro.run(runQuote(latestQuote(await read()).quote_id))
  const submit = async () => Result.getOrThrow(await lastro.submitKyc(caller, application_id, kyc))
  const accept = async (options = {}) =>
    lastro.acceptOffer(caller, application_id, latestQuote(await read()).offers[0]?.offer_id as OfferId, {
      terms_accepted: true
    }, options)
  return { caller, application_id, read, quote, submit, accept }
}

/** Accepts an offer, and returns the proposal. */
const contract = async (node: FaultyLastro) => {
  const application = await open(node)
  Result.getOrThrow(await application.quote())
  await application.submit()
  const { proposal_id } = Result.getOrThrow(await application.accept())
  return { ...application, proposal_id: proposal_id as ProposalId }
}

/** Creates a partner below the root. */
const earner = async (node: FaultyLastro) => {
  const { caller } = await install(node)
  const { partner_id } = Result.getOrThrow(await node.lastro.createPartner(caller, newPartner("52998224725")))
  return { caller, partner_id }
}

const endpoint = { url: "https://example.com/lastro", types: ["user.*"] }

/** Creates a webhook, and returns its id. The events so far have their sequences. */
const webhook = async (node: FaultyLastro) => {
  const { caller } = await install(node)
  Result.getOrThrow(await node.lastro.listEvents(caller, {}))
  const { webhook_id } = Result.getOrThrow(await node.lastro.createWebhook(caller, endpoint))
  return { caller, webhook_id }
}

/** Leaves out the secret of a webhook, because a second call does not return it. */
const withoutSecret = <E>(answer: Result.Result<WebhookWithSecret, E>) =>
  Result.map(answer, ({ secret: _, ...webhook }) => webhook)

/** Leaves out the secret of an API client, because a second call does not return it. */
const withoutClientSecret = <E>(answer: Result.Result<ClientWithSecret, E>) =>
  Result.map(answer, ({ client_secret: _, ...client }) => client)

/** Leaves out the times of a delivery, which are those of the database. */
const withoutTimes = <E>(answer: Result.Result<DeliveryRecord, E>) =>
  Result.map(answer, ({ created_at: _, next_attempt_at: __, ...delivery }) => delivery)

const signingKey = (kid: string): SigningKey => ({
  kid,
  private_jwk: "{}",
  created_at: exampleInstant,
  retired_at: null
})

const insertKey = ({ lastro }: FaultyLastro, kid: string) =>
  lastro.run(
    Effect.flatMap(SigningKeyRepository, (keys) => keys.insert(signingKey(kid), { onlyIfEmpty: false }))
  )

/** Every use case that writes, and some that write in several ways. */
export const writeCases:
  & Readonly<Record<WriteOperation | keyof OperatorFunctions | SignIn | Other, WriteCase>>
  & Readonly<
    Record<string, WriteCase>
  > = {
    createPartner: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await install(node)
        return (idempotency_key) => node.lastro.createPartner(caller, newPartner("52998224725"), { idempotency_key })
      }
    },
    updatePartner: {
      arrange: async (node) => {
        const { caller } = await install(node)
        const { partner_id } = Result.getOrThrow(await node.lastro.createPartner(caller, newPartner("52998224725")))
        return () => node.lastro.updatePartner(caller, partner_id, { partner: { name: "Another Name" } })
      }
    },
    "updatePartner, a move": {
      arrange: async (node) => {
        const { caller } = await install(node)
        const create = async (cpf: string, fields: object) =>
          Result.getOrThrow(await node.lastro.createPartner(caller, newPartner(cpf, fields))).partner_id
        const left = await create("52998224725", {})
        const right = await create("11144477735", {})
        await create("12345678909", { parent_uuid: left })
        return () => node.lastro.updatePartner(caller, left, { partner: { parent_uuid: right } })
      }
    },
    deletePartner: {
      arrange: async (node) => {
        const { caller } = await install(node)
        const { partner_id } = Result.getOrThrow(await node.lastro.createPartner(caller, newPartner("52998224725")))
        return () => node.lastro.deletePartner(caller, partner_id)
      }
    },
    putRouting: {
      arrange: async (node) => {
        const { caller } = await install(node)
        const { partner_id } = Result.getOrThrow(await node.lastro.createPartner(caller, newPartner("52998224725")))
        const routing = { strategy: "FIRST", lenders: ["sandbox"] } as const
        return () => node.lastro.putRouting(caller, partner_id, routing)
      }
    },
    deleteRouting: {
      arrange: async (node) => {
        const { caller } = await install(node)
        const { partner_id } = Result.getOrThrow(await node.lastro.createPartner(caller, newPartner("52998224725")))
        const routing = { strategy: "FIRST", lenders: ["sandbox"] } as const
        Result.getOrThrow(await node.lastro.putRouting(caller, partner_id, routing))
        return () => node.lastro.deleteRouting(caller, partner_id)
      }
    },
    createCommissionPlan: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await install(node)
        const body = { valid_from: "2199-12-31", basis: "NET", rates: [{ percent: 12.5 }] } as const
        return (idempotency_key) =>
          node.lastro.createCommissionPlan(caller, caller.partner_id, body, { idempotency_key })
      }
    },
    adjustCommission: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, partner_id } = await earner(node)
        const body = { partner_id, amount: 12.5, note: "Bonus" }
        return (idempotency_key) => node.lastro.adjustCommission(caller, body, { idempotency_key })
      }
    },
    closeCommissions: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, partner_id } = await earner(node)
        const body = { partner_id, period: "2020-01" }
        return (idempotency_key) => node.lastro.closeCommissions(caller, body, { idempotency_key })
      }
    },
    createCommissionPayout: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, partner_id } = await earner(node)
        const period = "2020-01"
        const entry = await node.lastro.run(aCommissionEntry([{ partner_id }, caller], {
          amount: centavos(1_000),
          period: period as Period,
          status: "CLOSED"
        }))
        Result.getOrThrow(
          await node.lastro.run(CommissionLedger.use((ledger) =>
            ledger.append([
              Result.getOrThrow(entry)
            ])
          ))
        )
        const body = { partner_id, period, amount: 10, reference: "TED 1", paid_at: "2020-02-01T12:00:00Z" }
        return (idempotency_key) => node.lastro.createCommissionPayout(caller, body, { idempotency_key })
      }
    },
    compareCommissionStatement: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await earner(node)
        const file = "reference,paid_amount,commission_amount,paid_at\nC-1,900,12.5,2026-01-02"
        const query = { period: "2026-01", lender: "sandbox" }
        return (idempotency_key) => node.lastro.compareCommissionStatement(caller, file, query, { idempotency_key })
      }
    },
    createUser: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await install(node)
        return (idempotency_key) => node.lastro.createUser(caller, newUser("52998224725"), { idempotency_key })
      }
    },
    updateUser: {
      arrange: async (node) => {
        const { caller } = await install(node)
        const { user_id } = Result.getOrThrow(await node.lastro.createUser(caller, newUser("52998224725")))
        return () => node.lastro.updateUser(caller, user_id, { name: "Another Name", status: "INACTIVE" })
      }
    },
    deleteUser: {
      arrange: async (node) => {
        const { caller } = await install(node)
        const { user_id } = Result.getOrThrow(await node.lastro.createUser(caller, newUser("52998224725")))
        return () => node.lastro.deleteUser(caller, user_id)
      }
    },
    createClient: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await install(node)
        const body = { name: "ERP", group_id: "viewer" }
        return async (idempotency_key) =>
          withoutClientSecret(await node.lastro.createClient(caller, body, { idempotency_key }))
      }
    },
    rotateClientSecret: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await install(node)
        const body = { name: "ERP", group_id: "viewer" }
        const { client_id } = Result.getOrThrow(await node.lastro.createClient(caller, body))
        return async (idempotency_key) =>
          withoutClientSecret(await node.lastro.rotateClientSecret(caller, client_id, {}, { idempotency_key }))
      }
    },
    revokeClient: {
      arrange: async (node) => {
        const { caller } = await install(node)
        const body = { name: "ERP", group_id: "viewer" }
        const { client_id } = Result.getOrThrow(await node.lastro.createClient(caller, body))
        return () => node.lastro.revokeClient(caller, client_id)
      }
    },
    createWebhook: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await install(node)
        Result.getOrThrow(await node.lastro.listEvents(caller, {}))
        return async (idempotency_key) =>
          withoutSecret(await node.lastro.createWebhook(caller, endpoint, { idempotency_key }))
      }
    },
    updateWebhook: {
      arrange: async (node) => {
        const { caller, webhook_id } = await webhook(node)
        Result.getOrThrow(await node.lastro.updateWebhook(caller, webhook_id, { status: "PAUSED" }))
        return () => node.lastro.updateWebhook(caller, webhook_id, { status: "ACTIVE", types: [] })
      }
    },
    deleteWebhook: {
      arrange: async (node) => {
        const { caller, webhook_id } = await webhook(node)
        return () => node.lastro.deleteWebhook(caller, webhook_id)
      }
    },
    rotateWebhookSecret: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, webhook_id } = await webhook(node)
        return async (idempotency_key) =>
          withoutSecret(await node.lastro.rotateWebhookSecret(caller, webhook_id, {}, { idempotency_key }))
      }
    },
    testWebhook: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, webhook_id } = await webhook(node)
        return async (idempotency_key) =>
          withoutTimes(await node.lastro.testWebhook(caller, webhook_id, {}, { idempotency_key }))
      }
    },
    redeliverEvent: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, webhook_id } = await webhook(node)
        const { event_id } = Result.getOrThrow(await node.lastro.testWebhook(caller, webhook_id))
        return async (idempotency_key) =>
          withoutTimes(await node.lastro.redeliverEvent(caller, webhook_id, event_id, {}, { idempotency_key }))
      }
    },
    replayWebhook: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, webhook_id } = await webhook(node)
        return (idempotency_key) =>
          node.lastro.replayWebhook(caller, webhook_id, { from_sequence: 1 }, { idempotency_key })
      }
    },
    createApplication: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller } = await install(node)
        return (idempotency_key) =>
          node.lastro.createApplication(caller, { external_id: "loan-1", customer }, { idempotency_key })
      }
    },
    requoteApplication: {
      isRepeatable: true,
      arrange: async (node) => {
        const { application_id, caller, quote } = await open(node)
        Result.getOrThrow(await quote())
        return (idempotency_key) =>
          node.lastro.requoteApplication(caller, application_id, { max_installments: 2 }, { idempotency_key })
      }
    },
    submitKyc: {
      isRepeatable: true,
      arrange: async (node) => {
        const { application_id, caller, quote } = await open(node)
        Result.getOrThrow(await quote())
        return (idempotency_key) => node.lastro.submitKyc(caller, application_id, kyc, { idempotency_key })
      }
    },
    acceptOffer: {
      isRepeatable: true,
      arrange: async (node) => {
        const { accept, quote, submit } = await open(node)
        Result.getOrThrow(await quote())
        await submit()
        return (idempotency_key) => accept({ idempotency_key })
      }
    },
    cancelApplication: {
      isRepeatable: true,
      arrange: async (node) => {
        const { application_id, caller } = await contract(node)
        return (idempotency_key) =>
          node.lastro.cancelApplication(caller, application_id, { reason: "DUPLICATE" }, { idempotency_key })
      }
    },
    updateApplication: {
      arrange: async (node) => {
        const { application_id, caller } = await contract(node)
        return () => node.lastro.updateApplication(caller, application_id, { metadata: { plan: "gold" } })
      }
    },
    withdrawFromProposal: {
      isRepeatable: true,
      arrange: async (node) => {
        const { application_id, caller, proposal_id, read } = await contract(node)
        Result.getOrThrow(await node.lastro.run(submitContract(proposal_id)))
        node.inputs.now += 60_000
        Result.getOrThrow(await node.lastro.run(pollContract(proposal_id)))
        const failed = await read()
        const account = { pix: { type: "EMAIL", key: `paid.${failed.version}@example.com` } }
        Result.getOrThrow(await node.lastro.submitKyc(caller, application_id, account))
        Result.getOrThrow(await node.lastro.run(submitContract(proposal_id)))
        node.inputs.now += 60_000
        Result.getOrThrow(await node.lastro.run(pollContract(proposal_id)))
        return (idempotency_key) =>
          node.lastro.withdrawFromProposal(caller, proposal_id, { reason: "CUSTOMER_REQUEST" }, { idempotency_key })
      }
    },
    renewSignatureLink: {
      isRepeatable: true,
      arrange: async (node) => {
        const { caller, proposal_id } = await contract(node)
        Result.getOrThrow(await node.lastro.run(submitContract(proposal_id)))
        return (idempotency_key) => node.lastro.renewSignatureLink(caller, proposal_id, undefined, { idempotency_key })
      }
    },
    runQuote: {
      isRepeatable: true,
      arrange: async (node) => {
        const { quote } = await open(node)
        return quote
      }
    },
    // The first submission has two transactions: one before the call (PROP-10), and one after the answer.
    "submitContract, before the call": {
      isRepeatable: true,
      arrange: async (node) => {
        const { proposal_id } = await contract(node)
        return () => node.lastro.run(withoutAnswer(submitContract(proposal_id)))
      }
    },
    submitContract: {
      isRepeatable: true,
      arrange: async (node) => {
        const { proposal_id } = await contract(node)
        Result.getOrThrow(await node.lastro.run(withoutAnswer(submitContract(proposal_id))))
        return () => node.lastro.run(submitContract(proposal_id))
      }
    },
    pollContract: {
      arrange: async (node) => {
        const { proposal_id } = await contract(node)
        Result.getOrThrow(await node.lastro.run(submitContract(proposal_id)))
        node.inputs.now += 60_000
        return () => node.lastro.run(pollContract(proposal_id))
      }
    },
    bootstrap: {
      arrange: async ({ lastro }) => () => lastro.bootstrap({ ...head, client_secret: secret })
    },
    createRootPartner: {
      arrange: async ({ lastro }) => () => lastro.createRootPartner(newPartner("52998224725"))
    },
    setPartnerStatus: {
      arrange: async (node) => {
        const { root_id } = await install(node)
        return () => node.lastro.setPartnerStatus(root_id, "inactive")
      }
    },
    createApiClient: {
      arrange: async (node) => {
        const { root_id } = await install(node)
        return () => node.lastro.createApiClient(root_id, "manager", { client_id: "branch" })
      }
    },
    rotateApiClient: {
      arrange: async (node) => {
        await install(node)
        return () => node.lastro.rotateApiClient(head.client_id)
      }
    },
    recoverAdministrator: {
      arrange: async (node) => {
        await install(node)
        return () => node.lastro.recoverAdministrator(head.admin_email)
      }
    },
    cancelJob: {
      arrange: async (node) => {
        const { read } = await open(node)
        const { quote_id } = latestQuote(await read())
        return () => node.lastro.cancelJob(`quote/${quote_id}`)
      }
    },
    revokeApiClient: {
      arrange: async (node) => {
        await install(node)
        return () => node.lastro.revokeApiClient(head.client_id)
      }
    },
    issueToken: {
      arrange: async (node) => {
        await install(node)
        return () =>
          node.lastro.issueToken({ grant_type: "password", username: head.admin_email, password: head.admin_password })
      }
    },
    revokeToken: {
      arrange: async (node) => {
        await install(node)
        const tokens = Result.getOrThrow(
          await node.lastro.issueToken({
            grant_type: "password",
            username: head.admin_email,
            password: head.admin_password
          })
        )
        return () => node.lastro.revokeToken(tokens.refresh_token ?? "")
      }
    },
    insertSigningKey: {
      arrange: async (node) => () => insertKey(node, "one")
    },
    revokeSigningKey: {
      arrange: async (node) => {
        Result.getOrThrow(await insertKey(node, "one"))
        Result.getOrThrow(await insertKey(node, "two"))
        return () => node.lastro.run(revokeSigningKey("one", Effect.die("another live key remains")))
      }
    },
    retireSigningKey: {
      arrange: async (node) => {
        Result.getOrThrow(await insertKey(node, "one"))
        Result.getOrThrow(await insertKey(node, "two"))
        return () => node.lastro.run(retireSigningKey("one"))
      }
    }
  }
