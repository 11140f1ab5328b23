import { emailKey, fold, timestampOf } from "@lastro/domain"
import { cnpjOf, cpfOf, phoneOf } from "./documents.ts"
import { companyName, personName } from "./names.ts"
import { type PartnerPlan } from "./planPartners.ts"
import { randomness } from "./Randomness.ts"
import { seededUuid } from "./seededUuid.ts"

/** A row of the table `partner`, by its columns. */
export interface PartnerRow {
  readonly id: string
  readonly parent_id: string | null
  readonly root_id: string
  readonly person_type: "pf" | "pj"
  readonly status: "active" | "inactive"
  readonly name: string
  readonly name_folded: string
  readonly email: string
  readonly email_folded: string
  readonly phone: string
  readonly document_number: string
  readonly created_at: string
}

/** The ids of planned partners by their index. */
export const partnerIds = ({ joined }: PartnerPlan, seed: number): ReadonlyArray<string> => {
  const random = randomness(seed, "partner ids")
  return Array.from(joined, (at) => seededUuid(at, random))
}

/** The rows of planned partners in the order in which they joined, a parent before its children. */
export function* partnerRows(plan: PartnerPlan, ids: ReadonlyArray<string>, seed: number): Generator<PartnerRow> {
  const random = randomness(seed, "partner rows")
  const order = Uint32Array.from(plan.joined.keys()).toSorted((one, other) =>
    (plan.joined[one] ?? 0) - (plan.joined[other] ?? 0) || one - other
  )
  for (const index of order) {
    const person = random.chance(0.15)
    const name = person ? personName(random) : companyName(random)
    const email = emailKey(`parceiro.${index.toString(36)}@rede.example` as Parameters<typeof emailKey>[0])
    yield {
      id: ids[index] ?? "",
      parent_id: ids[plan.parents[index] ?? -1] ?? null,
      root_id: ids[0] ?? "",
      person_type: person ? "pf" : "pj",
      status: index > 0 && random.chance(0.03) ? "inactive" : "active",
      name,
      name_folded: fold(name),
      email,
      email_folded: fold(email),
      phone: phoneOf(random),
      document_number: person ? cpfOf(index) : cnpjOf(index),
      created_at: timestampOf(plan.joined[index] ?? 0)
    }
  }
}
