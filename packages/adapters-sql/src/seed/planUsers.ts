import { type UserId } from "@lastro/domain"
import { inOrder } from "./inOrder.ts"
import { type PartnerPlan } from "./planPartners.ts"
import { randomness } from "./Randomness.ts"
import { seededIds } from "./seededIds.ts"

/** Users in the order of their creation; the first is the root's administrator. */
export interface UserPlan {
  /** The index of each user's partner. */
  readonly owners: Int32Array
  /** When each was created, in milliseconds since 1970, while its partner was active. */
  readonly created: Float64Array
  readonly idOf: (serial: number) => UserId
}

/** The heaviest share of users that one partner may draw, against an average one. */
const heaviest = 60

/** Plans the users: a few partners have many, most have few (Pareto's law), some none. */
export const planUsers = ({ activeUntil, joined, parents }: PartnerPlan, count: number, seed: number): UserPlan => {
  const random = randomness(seed, "users")
  const upTo = new Float64Array(parents.length)
  let sum = 0
  for (let index = 0; index < parents.length; index++) {
    sum += Math.min(heaviest, (1 - random.fraction()) ** (-1 / 1.3))
    upTo[index] = sum
  }
  const owner = (): number => {
    const wanted = random.fraction() * sum
    let low = 0
    let high = upTo.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((upTo[middle] ?? 0) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
  const owners = new Int32Array(count)
  const created = new Float64Array(count)
  created[0] = joined[0] ?? 0
  for (let index = 1; index < count; index++) {
    const one = owner()
    const from = joined[one] ?? 0
    owners[index] = one
    created[index] = Math.floor(from + ((activeUntil[one] ?? from) - from) * random.fraction())
  }
  const order = inOrder(created)
  const inTime = Float64Array.from(order, (index) => created[index] ?? 0)
  const idOf = seededIds(seed, "user")
  return {
    owners: Int32Array.from(order, (index) => owners[index] ?? 0),
    created: inTime,
    idOf: (serial) => idOf(serial, inTime[serial] ?? 0) as UserId
  }
}
