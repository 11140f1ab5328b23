import { type FgtsKycBank } from "@lastro/domain"
import { type Randomness } from "./Randomness.ts"

const codes = ["001", "033", "104", "237", "341", "260", "077", "756"] as const
const types = ["CC", "CC", "CP", "CS", "PG"] as const

/** An account at one of the larger banks. */
export const bankOf = (random: Randomness): FgtsKycBank => ({
  bank_code: random.oneOf(codes),
  account_type: random.oneOf(types),
  agency: String(1 + random.below(9_999)).padStart(4, "0"),
  agency_digit: random.chance(0.3) ? String(random.below(10)) : null,
  account_number: String(1 + random.below(99_999_999)),
  account_digit: random.chance(0.05) ? "X" : String(random.below(10))
} as FgtsKycBank)
