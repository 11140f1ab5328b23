import {
  type ApplicationId,
  isContracted,
  type OfferId,
  type ProposalId,
  type QuoteId,
  timestampOf
} from "@lastro/domain"
import { immutableApplicationValues, kycValues, mutableApplicationValues } from "../application/applicationRow.ts"
import { proposalValues } from "../application/applicationRow.ts"
import { quoteValues } from "../application/applicationRow.ts"
import { type Course } from "./Course.ts"
import { type ApplicationNames, growApplication, mostSeededQuotes, wishOf } from "./growApplication.ts"
import { type ApplicationPlan } from "./planApplications.ts"
import { type PartnerPlan, placeIn } from "./planPartners.ts"
import { type UserPlan } from "./planUsers.ts"
import { randomness } from "./Randomness.ts"
import { seededCustomer } from "./seededCustomer.ts"
import { seededIds } from "./seededIds.ts"
import { seededNumber } from "./seededNumber.ts"

/** Who opens applications, and for which partners. */
export interface Openers {
  readonly users: UserPlan
  readonly partners: PartnerPlan
}

/** How many offers a quote has at most. */
const mostOffers = 4

const namesOf = (seed: number) => {
  const quote = seededIds(seed, "quote")
  const offer = seededIds(seed, "offer")
  const proposal = seededIds(seed, "proposal")
  return (serial: number): ApplicationNames => {
    const quoteSerial = (number: number): number => serial * mostSeededQuotes + number - 1
    return {
      quote: (number, at) => quote(quoteSerial(number), at) as QuoteId,
      offer: (number, index, at) => offer(quoteSerial(number) * mostOffers + index, at) as OfferId,
      proposal: (at) => proposal(serial, at) as ProposalId,
      number: () => seededNumber(seed, serial)
    }
  }
}

const rowsOf = ({ application, kycAt }: Course, place: ReturnType<typeof placeIn>) => {
  const { partner_id, root_id } = place
  return {
    application: {
      partner_id,
      root_id,
      ...immutableApplicationValues(application),
      ...mutableApplicationValues(application),
      ...kycValues(application.kyc, kycAt ?? application.updated_at)
    },
    quotes: application.quotes.map((quote) => quoteValues(application.application_id, quote)),
    proposals: isContracted(application) ? [{ ...place, ...proposalValues(application) }] : []
  }
}

/** The rows of an application and of what belongs to it. */
export type ApplicationRows = ReturnType<typeof rowsOf>

/** The rows of planned applications in the order of their opening. */
export function* applicationRows(
  plan: ApplicationPlan,
  { partners, users }: Openers,
  seed: number
): Generator<ApplicationRows> {
  const idOf = seededIds(seed, "application")
  const names = namesOf(seed)
  for (let serial = 0; serial < plan.openers.length; serial++) {
    const opener = plan.openers[serial] ?? 0
    const place = placeIn(partners, users.owners[opener] ?? 0)
    const random = randomness(seed, `application ${serial}`)
    const { customer, kyc } = seededCustomer(plan.customers[serial] ?? 0, seed)
    const millis = plan.opened[serial] ?? 0
    const named = names(serial)
    const course = growApplication(
      {
        _tag: "ApplicationOpened",
        at: timestampOf(millis),
        application_id: idOf(serial, millis) as ApplicationId,
        external_id: `pedido-${serial + 1}`,
        partner_id: place.partner_id,
        created_by: users.idOf(opener),
        customer,
        quote_id: named.quote(1, millis),
        wish: wishOf(random)
      },
      kyc,
      named,
      random
    )
    yield rowsOf(course, place)
  }
}
