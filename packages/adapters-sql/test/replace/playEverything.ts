import { SigningKeyRepository } from "@lastro/domain/identity"
import { type Lastro } from "@lastro/domain/promises"
import { type ApplicationId } from "@lastro/domain/values"
import { aCompleteKyc, aCustomer } from "@lastro/testkit"
import { kycBody } from "@lastro/testkit/arbitraries"
import { Effect, Result } from "effect"

const success = async <A>(answer: Promise<Result.Result<A, unknown>>): Promise<A> => Result.getOrThrow(await answer)

const credentials = {
  admin_email: "admin@example.com",
  admin_password: "correct horse battery",
  client_id: "erp",
  client_secret: "a-secret-of-ours"
}

const partner = {
  type: "pj",
  name: "Loja",
  email: "loja@example.com",
  phone: "1133334444",
  document_number: "11222333000181"
}

const person = { name: "Bia Nova", email: "bia@example.com", phone: "1133334444", cpf: "52998224725" }

/** Waits until the status of an application is no longer `status`. Returns its present status. */
const awaitChange = async (
  lastro: Lastro<SigningKeyRepository>,
  caller: Parameters<Lastro["getApplicationStatus"]>[0],
  application_id: string,
  status: string
): Promise<string> => {
  const read = await success(lastro.getApplicationStatus(caller, application_id, { request_id: "status" }))
  const known = read.status
  if (known.status !== status) return known.status
  await success(lastro.getApplicationStatus(caller, application_id, { request_id: "status", wait: 10, known }))
  return awaitChange(lastro, caller, application_id, status)
}

/**
 * Calls use cases that together use every port, as requests with an id: from the first start to a paid loan. Returns
 * its application.
 */
export const playEverything = async (lastro: Lastro<SigningKeyRepository>): Promise<ApplicationId> => {
  const call = { request_id: "test" }
  const installed = await success(lastro.bootstrap(credentials, call))
  const token = { grant_type: "password", username: credentials.admin_email, password: credentials.admin_password }
  await lastro.issueToken({ ...token, password: "another password" }, call)
  const issued = await success(lastro.issueToken(token, call))
  await success(lastro.callerOfToken(issued.access_token, call))
  await success(lastro.run(Effect.flatMap(SigningKeyRepository, ({ all }) => all), call))
  const caller = await success(lastro.callerOfClient("erp", call))
  await success(lastro.listJobs(1, call))
  const created = await success(lastro.createPartner(caller, { partner }, { ...call, idempotency_key: "partner" }))
  await success(
    lastro.updatePartner(caller, created.partner_id, { partner: { parent_uuid: installed?.root_id } }, call)
  )
  const group_id = (await success(lastro.listGroups(caller, call)))[0]?.group_id
  await success(
    lastro.createUser(
      caller,
      { ...person, partner_id: created.partner_id, group_id, password: "a long passphrase" },
      call
    )
  )
  await success(lastro.listProposals(caller, {}, call))
  await success(lastro.listAudit(caller, {}, call))
  await success(lastro.listEvents(caller, {}, call))
  const subscription = await success(
    lastro.subscribe("everything", async () => {}, { partner_id: created.partner_id })
  )
  await subscription.stop()
  await success(lastro.listWebhooks(caller, {}, call))
  // Without a sender, every address is refused.
  await lastro.createWebhook(caller, { url: "https://example.com/lastro" }, call)
  await success(lastro.getRouting(caller, caller.partner_id, call))
  await success(lastro.listCommissionPlans(caller, caller.partner_id, {}, call))
  await success(lastro.listCommissions(caller, {}, call))
  await success(lastro.listCommissionPayouts(caller, {}, call))
  const file = "reference,paid_amount,commission_amount,paid_at"
  const statement = { period: "2025-12", lender: "sandbox" }
  await success(lastro.compareCommissionStatement(caller, file, statement, call))
  await success(lastro.anonymiseDeleted(0, call))

  const customer = await success(lastro.run(aCustomer()))
  const { application_id } = await success(lastro.createApplication(caller, { external_id: "1", customer }, call))
  await awaitChange(lastro, caller, application_id, "QUOTING")
  await success(lastro.getKyc(caller, application_id, call))
  await success(lastro.submitKyc(caller, application_id, kycBody(aCompleteKyc().for(customer).build()), call))
  const { quote } = await success(lastro.getApplication(caller, application_id, {}, call))
  const [offer] = quote.offers
  if (offer === undefined) throw new Error("the sandbox made no offer")
  await success(lastro.acceptOffer(caller, application_id, offer.offer_id, { terms_accepted: true }, call))
  await awaitChange(lastro, caller, application_id, "CONTRACTING")
  // Refused, because the loan is paid. The lender's exits are read before that.
  await lastro.cancelApplication(caller, application_id, { reason: "CUSTOMER_REQUEST" }, call)
  return application_id
}
