import { fold, groupBySlug, type GroupSlug, timestampOf } from "@lastro/domain"
import { cpfOf, phoneOf } from "./documents.ts"
import { personName } from "./names.ts"
import { type UserPlan } from "./planUsers.ts"
import { type Randomness, randomness } from "./Randomness.ts"
import { seededUuid } from "./seededUuid.ts"

/** A row of the table `app_user`, by its columns. */
export interface UserRow {
  readonly id: string
  readonly partner_id: string
  readonly root_id: string
  readonly group_id: string
  readonly status: "ACTIVE" | "INACTIVE"
  readonly name: string
  readonly name_folded: string
  readonly email: string
  readonly email_folded: string
  readonly email_key: string
  readonly phone: string
  readonly cpf: string
  readonly must_change_password: boolean
  readonly password_hash: string
  readonly created_at: string
}

const groupOf = (random: Randomness): string => {
  const draw = random.fraction()
  const slug: GroupSlug = draw < 0.02 ? "admin" : draw < 0.12 ? "manager" : draw < 0.92 ? "operator" : "viewer"
  return groupBySlug(slug).group_id
}

/** The rows of planned users in the order of their creation. Their addresses are their own, their password is shared. */
export function* userRows(
  plan: UserPlan,
  partners: ReadonlyArray<string>,
  passwordHash: string,
  seed: number
): Generator<UserRow> {
  const random = randomness(seed, "user rows")
  for (let serial = 0; serial < plan.owners.length; serial++) {
    const at = plan.created[serial] ?? 0
    const name = personName(random)
    const folded = fold(name)
    const email = `${folded.replaceAll(" ", ".")}.${serial.toString(36)}@rede.example`
    yield {
      id: seededUuid(at, random),
      partner_id: partners[plan.owners[serial] ?? -1] ?? "",
      root_id: partners[0] ?? "",
      group_id: groupOf(random),
      status: random.chance(0.06) ? "INACTIVE" : "ACTIVE",
      name,
      name_folded: folded,
      email,
      email_folded: email,
      email_key: email,
      phone: phoneOf(random),
      cpf: cpfOf(serial),
      must_change_password: random.chance(0.1),
      password_hash: passwordHash,
      created_at: timestampOf(at)
    }
  }
}
