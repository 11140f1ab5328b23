import { inOrder } from "./inOrder.ts"
import { ended, type PartnerPlan } from "./planPartners.ts"
import { type UserPlan } from "./planUsers.ts"
import { randomness } from "./Randomness.ts"

/** Applications in the order of their opening. */
export interface ApplicationPlan {
  /** The serial number of the user who opened each, for the partner of that user. */
  readonly openers: Int32Array
  /** The index of each one's customer; some come back. */
  readonly customers: Int32Array
  /** When each was opened, in milliseconds since 1970. */
  readonly opened: Float64Array
}

/** From when on there was something to anticipate. */
const firstOpened = Date.UTC(2020, 6, 1, 12)

/** What was opened until then has come to its end by the time the data ends. */
const lastOpened = ended - 14 * 86_400_000

/** How many applications are a customer's second or later one. */
const comingBack = 0.15

/** Plans the applications: opened by users while they were there, more of them in later years. */
export const planApplications = (
  partners: PartnerPlan,
  users: UserPlan,
  count: number,
  seed: number
): ApplicationPlan => {
  const random = randomness(seed, "applications")
  const openers = new Int32Array(count)
  const customers = new Int32Array(count)
  const opened = new Float64Array(count)
  const begin = (user: number) => Math.max(users.created[user] ?? 0, firstOpened)
  const end = (user: number) => Math.min(partners.activeUntil[users.owners[user] ?? 0] ?? 0, lastOpened)
  const opener = (): number => {
    for (let attempt = 0; attempt < 50; attempt++) {
      const user = random.below(users.owners.length)
      if (begin(user) < end(user)) return user
    }
    // The root's administrator, who has always been there.
    return 0
  }
  let known = 0
  for (let index = 0; index < count; index++) {
    const user = opener()
    openers[index] = user
    opened[index] = Math.floor(begin(user) + (end(user) - begin(user)) * random.fraction() ** 0.7)
    customers[index] = known > 0 && random.chance(comingBack) ? random.below(known) : known++
  }
  const order = inOrder(opened)
  return {
    openers: Int32Array.from(order, (index) => openers[index] ?? 0),
    customers: Int32Array.from(order, (index) => customers[index] ?? 0),
    opened: Float64Array.from(order, (index) => opened[index] ?? 0)
  }
}
