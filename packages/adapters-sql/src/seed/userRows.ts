import {
  fold,
  groupBySlug,
  groupRecord,
  type GroupSlug,
  type PartnerId,
  timestampOf,
  type UserListItem
} from "@lastro/domain"
import { userValues } from "../user/userRow.ts"
import { cpfOf } from "./documents.ts"
import { personName } from "./names.ts"
import { phoneOf } from "./places.ts"
import { type PartnerPlan, placeIn } from "./planPartners.ts"
import { type UserPlan } from "./planUsers.ts"
import { type Randomness, randomness } from "./Randomness.ts"

const groupOf = (random: Randomness): GroupSlug => {
  const draw = random.fraction()
  return draw < 0.02 ? "admin" : draw < 0.12 ? "manager" : draw < 0.92 ? "operator" : "viewer"
}

/** First and last name without accents, and a number of its own. */
const emailOf = (name: string, serial: number): string => {
  const names = fold(name).split(" ")
  return `${names[0]}.${names.at(-1)}.${serial.toString(36)}@rede.example`
}

const userOf = (serial: number, partner_id: PartnerId, plan: UserPlan, random: Randomness): UserListItem => {
  const name = personName(random)
  const user: UserListItem = {
    user_id: plan.idOf(serial),
    name,
    email: emailOf(name, serial),
    phone: phoneOf(random),
    cpf: cpfOf("user", serial),
    status: random.chance(0.06) ? "INACTIVE" : "ACTIVE",
    group: groupRecord(groupBySlug(groupOf(random))),
    must_change_password: random.chance(0.1),
    created_at: timestampOf(plan.created[serial] ?? 0),
    partner_id
  }
  return serial > 0
    ? user
    : { ...user, status: "ACTIVE", group: groupRecord(groupBySlug("admin")), must_change_password: false }
}

/** The rows of planned users in the order of their creation. Their addresses are their own, their password is shared. */
export function* userRows(plan: UserPlan, partners: PartnerPlan, password_hash: string, seed: number) {
  const random = randomness(seed, "user rows")
  for (let serial = 0; serial < plan.owners.length; serial++) {
    const place = placeIn(partners, plan.owners[serial] ?? 0)
    const user = userOf(serial, place.partner_id, plan, random)
    yield { id: user.user_id, ...place, password_hash, ...userValues(user) }
  }
}

/** The address of the first user, the root's administrator; null where there are no users. */
export const administratorOf = (plan: UserPlan, root: PartnerId, seed: number): string | null =>
  plan.owners.length === 0 ? null : userOf(0, root, plan, randomness(seed, "user rows")).email
