import {
  isFinal,
  type LenderContract,
  sandboxContract,
  sandboxPaymentReference,
  sandboxReference
} from "@lastro/domain"
import { Option } from "effect"
import { bankOf } from "./banks.ts"
import { type Course } from "./Course.ts"
import { type Randomness } from "./Randomness.ts"

const minute = 60_000

const standing = (course: Course, reference: string, step: number): LenderContract =>
  Option.getOrThrow(sandboxContract(reference, course.at, step))

const record = (course: Course, contract: LenderContract): void =>
  course.ask({ _tag: "RecordContract", at: course.at, contract })

/** Has a failed payment made to another account, and answers what the contract is called from then on. */
const payElsewhere = (course: Course, reference: string, random: Randomness): string => {
  const { kyc } = course.application
  if (kyc === null) return reference
  course.wait((60 + random.below(48 * 60)) * minute)
  course.ask({
    _tag: "SubmitKyc",
    at: course.at,
    kyc: { ...kyc, disbursement_method: "BANK_TRANSFER", bank: bankOf(random) },
    says_where_to_pay: true
  })
  const disbursement_attempt = course.application.proposal?.disbursement_attempt ?? 1
  return Option.getOrElse(
    sandboxPaymentReference({ disbursement_attempt, reference, requested_at: course.at }),
    () => reference
  )
}

/**
 * Brings an accepted offer to its end with the sandbox lender, step by step. A contract is never left with the lender: it would be
 * asked about it for as long as it stands, and a real one has never heard of it.
 */
export const finishContract = (course: Course, random: Randomness): void => {
  const { application: { customer, proposal } } = course
  if (proposal === null) return
  const step = (10 + random.below(170)) * minute
  let reference = sandboxReference({ accepted_at: proposal.created_at, customer, proposal_id: proposal.proposal_id })
  course.wait(2_000)
  record(course, standing(course, reference, step))
  for (let steps = 0; !isFinal(course.application.proposal ?? proposal); steps++) {
    if (steps > 10) throw new Error(`A contract does not come to its end: ${reference}`)
    if (course.application.proposal?.status === "DISBURSEMENT_FAILED") {
      reference = payElsewhere(course, reference, random)
    }
    course.wait(step)
    record(course, standing(course, reference, step))
  }
}
