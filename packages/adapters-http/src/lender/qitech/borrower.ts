import { type KycDocumentReference, type KycValues } from "@lastro/domain/kyc"
import { type InvalidField } from "@lastro/domain/lender"
import { Result } from "effect"
import { type UploadedDocuments } from "./upload.ts"

type CivilStatus = NonNullable<KycValues["civil_status"]>

/**
 * QI Tech's marital statuses. It has none for a stable union or a separation. A stable union is sent as `single`,
 * because it does not change the civil status. A separation is sent as `divorced`, because both end the community of
 * property.
 */
const maritalStatuses: Readonly<Record<CivilStatus, string>> = {
  SINGLE: "single",
  STABLE_UNION: "single",
  MARRIED: "married",
  DIVORCED: "divorced",
  SEPARATED: "divorced",
  WIDOWED: "widower"
}

/** The property system of a marriage without a prenuptial agreement (Código Civil, art. 1.640). */
const legalPropertySystem = "partial_communion_of_goods"

const documentTypes: Readonly<Record<string, string>> = { CNH: "cnh", RG: "rg", CIN: "rg" }

const phoneOf = (phone: string) => ({ country_code: "055", area_code: phone.slice(0, 2), number: phone.slice(2) })

const addressOf = (address: KycValues["address"]) => ({
  street: address?.street ?? null,
  number: address?.number ?? null,
  complement: address?.complement ?? null,
  neighborhood: address?.neighborhood ?? null,
  city: address?.city ?? null,
  state: address?.uf ?? null,
  postal_code: address?.zipcode ?? null
})

/** Builds the borrower of an issue, the request that creates a debt. Fails with the missing fields. */
export const borrowerOf = (
  kyc: KycValues,
  documents: UploadedDocuments
): Result.Result<object, ReadonlyArray<InvalidField>> => {
  const { profession, spouse_name } = qitechKycOf(kyc)
  const isMarried = kyc.civil_status === "MARRIED"
  const missing = [
    ...(profession === null ? ["profession"] : []),
    ...(isMarried && spouse_name === null ? ["spouse_name"] : []),
    ...(documents.document_identification === undefined ? ["documents"] : [])
  ]
  if (missing.length > 0) return Result.fail(missing.map((field) => ({ field, code: "REQUIRED" })))
  const type = documentTypes[kyc.document?.type ?? ""]
  return Result.succeed({
    person_type: "natural",
    name: kyc.name,
    mother_name: kyc.mother_name,
    birth_date: kyc.birth_date,
    profession,
    nationality: kyc.nationality,
    marital_status: kyc.civil_status === null ? "single" : maritalStatuses[kyc.civil_status],
    ...(isMarried ? { property_system: legalPropertySystem } : {}),
    wedding_certificate: documents.wedding_certificate ?? null,
    spouse: isMarried ? { person_type: "natural", name: spouse_name } : null,
    is_pep: kyc.is_pep ?? false,
    individual_document_number: kyc.cpf,
    document_identification: documents.document_identification,
    ...(documents.document_identification_back === undefined
      ? {}
      : { document_identification_back: documents.document_identification_back }),
    ...(type === undefined ? {} : { document_identification_type: type }),
    document_identification_number: kyc.document?.number ?? null,
    ...(documents.proof_of_residence === undefined ? {} : { proof_of_residence: documents.proof_of_residence }),
    email: kyc.email,
    phone: kyc.phone === null ? null : phoneOf(kyc.phone),
    address: addressOf(kyc.address)
  })
}

/** The KYC fields that QI Tech requires in addition to those of every lender. */
export interface QitechKyc {
  readonly profession: string | null
  readonly spouse_name: string | null
  readonly documents: ReadonlyArray<KycDocumentReference>
}

/** Returns the additional fields of a KYC. A KYC stored before these fields existed has none of them. */
export const qitechKycOf = ({ documents, profession, spouse_name }: KycValues): QitechKyc => ({
  profession: profession ?? null,
  spouse_name: spouse_name ?? null,
  documents: documents ?? []
})
