import { type Precondition } from "@lastro/domain/input"
import { type FgtsKycAnswer } from "@lastro/domain/origination"
import { Struct } from "effect"
import { entityTag } from "../pipeline/conditionalHeaders.ts"
import { kycBody, type KycPath, valueAt } from "./kycFields.ts"
import { type Fields, type Visit } from "./Visit.ts"

/** Returns the version of the values that were submitted. Neither suggestions nor the time change it. */
export const versionOf = (kyc: FgtsKycAnswer): string => {
  const values = Struct.omit(kyc, ["complete", "missing_fields", "next_action", "prefilled_fields", "status"])
  const submitted = kyc.prefilled_fields.length > 0 ? [] : Object.entries(values).filter(([, value]) => value !== null)
  return entityTag(Object.fromEntries(submitted)).replaceAll("\"", "")
}

/** The fields whose punctuation has no meaning. */
const punctuated: ReadonlySet<KycPath> = new Set(["address.zipcode", "cpf", "phone", "pix.key"])

/** Returns the value of a field without punctuation that has no meaning. */
const plain = (path: KycPath, value: string): string =>
  punctuated.has(path) && /^[\d\s()./-]+$/.test(value) ? value.replaceAll(/\D/g, "") : value

/** Returns the paths of the filled-in fields that have another value now. */
const replacedBy = (
  { language, words }: Pick<Visit, "language" | "words">,
  kyc: FgtsKycAnswer,
  fields: Fields
): ReadonlyArray<KycPath> => {
  const body = kycBody(words, language, fields)
  return Struct.keys(words.fields.labels).filter((path) => {
    const [saved, sent] = [valueAt(kyc, path), valueAt(body, path)]
    return saved !== null && sent !== null && plain(path, sent) !== plain(path, saved)
  })
}

/** A form replaces no value that somebody saved after the form was opened. */
export const replacesNothing =
  (visit: Pick<Visit, "language" | "words">, fields: Fields): Precondition<FgtsKycAnswer> => (kyc) =>
    [undefined, versionOf(kyc)].includes(fields["version"]) || replacedBy(visit, kyc, fields).length === 0

/** Returns the paths of the fields in which the rejected form would have replaced the value of somebody else. */
export const conflictsOf = ({ refused, words }: Visit, kyc: FgtsKycAnswer): ReadonlyArray<KycPath> =>
  refused?.error.code === "PRECONDITION_FAILED"
    ? replacedBy({ language: refused.rejection.language, words }, kyc, refused.fields)
    : []
