import { type Complaints, isChange } from "./complaints.ts"
import { acceptsOnce, contractedOnce, ends, keeps, locks } from "./contractComplaints.ts"
import { type BrokenInStory, type Observed } from "./Observed.ts"
import { accepts, drops, obeys, supersedes } from "./offerComplaints.ts"

const complaints = (rule: BrokenInStory["rule"], whys: Complaints): ReadonlyArray<BrokenInStory> =>
  whys.flatMap((why) => why === false ? [] : [{ rule, why }])

/**
 * Every rule of origination that what was observed of an application breaks, step by step: by judgments of the testkit's own, which
 * the domain's are held against. For ends whose steps nobody observed there is `brokenRules`.
 */
export const brokenInStory = (observed: Observed): ReadonlyArray<BrokenInStory> => {
  const changes = observed.observations.filter(isChange)
  return [
    ...complaints(1, changes.flatMap(supersedes)),
    ...complaints(2, changes.flatMap(drops)),
    ...complaints(3, changes.flatMap(accepts)),
    ...complaints(4, [...changes.flatMap(acceptsOnce), ...contractedOnce(observed)]),
    ...complaints(5, changes.flatMap(locks)),
    ...complaints(6, observed.observations.flatMap(obeys)),
    ...complaints(7, [...keeps(observed), ...changes.flatMap(ends)])
  ]
}
