import { type KycValues } from "@lastro/domain/fgts"

/** A reference to a document in the KYC. */
export interface KycDocumentReference {
  readonly kind: string
  readonly reference: string
  readonly sha256?: string | null
}

/** The KYC fields that QI Tech requires in addition. */
export interface QitechKyc {
  readonly profession: string | null
  readonly spouse_name: string | null
  readonly documents: ReadonlyArray<KycDocumentReference>
}

/** Returns the additional fields of a KYC. A KYC that was stored before these fields existed has none of them. */
export const qitechKycOf = (kyc: KycValues): QitechKyc => {
  const { documents, profession, spouse_name } = kyc as Partial<QitechKyc>
  return { profession: profession ?? null, spouse_name: spouse_name ?? null, documents: documents ?? [] }
}
