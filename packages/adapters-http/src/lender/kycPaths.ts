import { kycFields, kycGroups } from "@lastro/domain/fgts"

const groups: Readonly<Record<string, object>> = kycGroups

/** The paths of the fields that a name of the KYC stands for: itself, or those of its group. */
const expand = (name: string): ReadonlyArray<string> =>
  Object.keys(groups[name] ?? {}).map((field) => `${name}.${field}`)

const leaves: ReadonlySet<string> = new Set(
  Object.keys(kycFields).flatMap((name) => Object.hasOwn(groups, name) ? expand(name) : [name])
)

/** The prefixes of the paths in the lender protocol, whose bodies contain the KYC in two parts. */
const prefix = /^(?:customer|disbursement)\./

/**
 * Returns the KYC fields that a path of the lender protocol names: `address.zipcode`, `customer.address.zipcode`, `disbursement.pix.key`, or the
 * name of a group (`address`). The list is empty if it names none.
 */
export const kycPathsOf = (path: unknown): ReadonlyArray<string> => {
  if (typeof path !== "string") return []
  const name = path.replace(prefix, "")
  if (name === "method") return ["disbursement_method"]
  return leaves.has(name) ? [name] : Object.hasOwn(groups, name) ? expand(name) : []
}
