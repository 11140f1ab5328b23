import { type Precondition } from "@lastro/domain/input"
import { type FgtsKycAnswer } from "@lastro/domain/origination"
import { Struct } from "effect"
import { entityTag } from "../pipeline/conditionalHeaders.ts"
import { type KycPath, valueAt } from "./kycFields.ts"
import { type Fields, type Visit } from "./Visit.ts"

/** Returns the version of the values that were submitted. Neither suggestions nor the time change it. */
export const versionOf = (kyc: FgtsKycAnswer): string => {
  const values = Struct.omit(kyc, ["complete", "missing_fields", "next_action", "prefilled_fields", "status"])
  const submitted = kyc.prefilled_fields.length > 0 ? [] : Object.entries(values).filter(([, value]) => value !== null)
  return entityTag(Object.fromEntries(submitted)).replaceAll("\"", "")
}

/** Returns a text without the punctuation of a number, such as a CPF. */
const plain = (text: string): string => /^[\d\s()./-]+$/.test(text) ? text.replaceAll(/\D/g, "") : text

/** Returns the paths of the filled-in fields that have another value now. */
const replacedBy = ({ language, words }: Visit, kyc: FgtsKycAnswer, fields: Fields): ReadonlyArray<KycPath> =>
  Struct.keys(words.fields.labels).filter((path) => {
    const [saved, sent] = [valueAt(kyc, path, language), (fields[path] ?? "").trim()]
    return saved !== null && sent !== "" && plain(sent) !== plain(saved)
  })

/** A form replaces no value that somebody saved after the form was opened. */
export const replacesNothing = (visit: Visit, fields: Fields): Precondition<FgtsKycAnswer> => (kyc) =>
  [undefined, versionOf(kyc)].includes(fields["version"]) || replacedBy(visit, kyc, fields).length === 0

/** Returns the paths of the fields in which the rejected form would have replaced the value of somebody else. */
export const conflictsOf = (visit: Visit, kyc: FgtsKycAnswer): ReadonlyArray<KycPath> => {
  const { refused } = visit
  return refused?.error.code === "PRECONDITION_FAILED" ? replacedBy(visit, kyc, refused.fields) : []
}
