import { type FgtsApplicationStatus, isLastroError, type LastroClient, type SubmitFgtsKycRequest } from "@lastro/client"

/** A customer, with the data that the agent has. */
export interface Customer {
  readonly cpf: string
  readonly birth_date: string
  readonly kyc: SubmitFgtsKycRequest
  /** The data to submit if the lender rejects the first data. */
  readonly correction: SubmitFgtsKycRequest
  /** Another account, for the case that the payment to the first one fails. */
  readonly otherAccount: SubmitFgtsKycRequest
}

/** The maximum time for which the agent follows a loan, in milliseconds. */
const timeout = 120_000

/** Accepts the best offer. Does nothing if the offer has expired meanwhile: the next status is then EXPIRED. */
const acceptBest = async (client: LastroClient, application_id: string): Promise<void> => {
  const { quote } = await client.getApplication(application_id)
  const [best] = quote.offers
  if (best === undefined) return
  try {
    await client.acceptOffer(application_id, best.offer_id, { terms_accepted: true })
  } catch (error) {
    if (!isLastroError(error, "acceptOffer") || error.code !== "OFFER_NOT_AVAILABLE") throw error
  }
}

/** Returns whether an instant comes while the agent follows the loan. */
const isSoon = (instant: string | null): boolean => instant !== null && Date.parse(instant) - Date.now() < timeout / 2

/**
 * Takes a loan for a customer. Performs each next action of the API, and requests at most one new quote. Returns the
 * last status: that of a paid loan, or of an application that needs a person or a later day.
 */
export const takeLoan = async (
  client: LastroClient,
  external_id: string,
  { birth_date, correction, cpf, kyc, otherAccount }: Customer
): Promise<FgtsApplicationStatus> => {
  const { application_id } = await client.createApplication({ external_id, customer: { cpf, birth_date } })
  let requotes = 0
  let last: FgtsApplicationStatus | undefined
  for await (const status of client.followStatus(application_id, { timeout })) {
    last = status
    switch (status.next_action) {
      case "SUBMIT_KYC": {
        const { complete, missing_fields } = await client.submitKyc(application_id, kyc)
        if (!complete) throw new Error(`The lender also requires ${missing_fields.join(", ")}.`)
        break
      }
      case "ACCEPT_OFFER":
        await acceptBest(client, application_id)
        break
      case "FIX_KYC":
        await client.submitKyc(application_id, correction)
        break
      case "FIX_DISBURSEMENT":
        await client.submitKyc(application_id, otherAccount)
        break
      case "REQUOTE":
        if (requotes++ > 0) return status
        await client.requoteApplication(application_id)
        break
      case "RETRY_LATER":
        // At `retry_at`, the next status is REQUOTE.
        if (!isSoon(status.retry_at)) return status
        break
      case "WAIT_FOR_SETTLEMENT":
        return status
    }
  }
  if (last === undefined) throw new Error(`${application_id} has no status`)
  return last
}
