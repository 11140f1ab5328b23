import { type KycDocumentReference, type KycValues } from "@lastro/domain/kyc"

/** The KYC fields that QI Tech requires in addition to those of every lender. */
export interface QitechKyc {
  readonly profession: string | null
  readonly spouse_name: string | null
  readonly documents: ReadonlyArray<KycDocumentReference>
}

/** Returns the additional fields of a KYC. A KYC that was stored before these fields existed has none of them. */
export const qitechKycOf = ({ documents, profession, spouse_name }: KycValues): QitechKyc => ({
  profession: profession ?? null,
  spouse_name: spouse_name ?? null,
  documents: documents ?? []
})
