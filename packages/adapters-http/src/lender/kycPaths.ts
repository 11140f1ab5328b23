import { kycFields, kycGroups } from "@lastro/domain/kyc"

const groups: Readonly<Record<string, object>> = kycGroups

/** Returns the paths of the KYC fields for a name: the field itself, or the fields of a group. */
const expand = (name: string): ReadonlyArray<string> =>
  Object.keys(groups[name] ?? {}).map((field) => `${name}.${field}`)

const leaves: ReadonlySet<string> = new Set(
  Object.keys(kycFields).flatMap((name) => Object.hasOwn(groups, name) ? expand(name) : [name])
)

/** The prefixes of paths in the lender protocol, whose bodies split the KYC into two objects. */
const prefix = /^(?:customer|disbursement)\./

/**
 * Returns the KYC fields that a path of the lender protocol refers to. Examples of paths: `address.zipcode`,
 * `customer.address.zipcode`, `disbursement.pix.key`, and `address`, which is a group of fields. Returns an empty list
 * if the path refers to no KYC field.
 */
export const kycPathsOf = (path: unknown): ReadonlyArray<string> => {
  if (typeof path !== "string") return []
  const name = path.replace(prefix, "")
  if (name === "method") return ["disbursement_method"]
  return leaves.has(name) ? [name] : Object.hasOwn(groups, name) ? expand(name) : []
}
