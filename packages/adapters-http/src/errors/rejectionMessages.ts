import { type OwnRejection, ownRejectionOf } from "@lastro/domain/offer"
import { Predicate } from "effect"
import { type Language } from "./Language.ts"

/** Lastro's own rejections in Brazilian Portuguese. Rejections are stored with their English messages. */
const messagesPtBr: Readonly<Record<OwnRejection, string>> = {
  COSTS_TOO_HIGH: "Os custos superam o valor financiado.",
  UNLAWFUL_OFFER: "A oferta da instituição financeira não atende às regras em vigor.",
  NO_TABLE: "A instituição financeira não tem tabela para este cliente.",
  NO_ANSWER: "A instituição financeira não respondeu.",
  CONTRACT_CANCELLED: "O contrato foi cancelado.",
  CONTRACT_REFUSED: "A instituição financeira recusou o contrato.",
  CONTRACT_REFUNDED: "O contrato foi estornado.",
  PAYMENT_REVERSED: "A instituição desfez o pagamento.",
  PAYMENT_FAILED: "O pagamento falhou.",
  CANCELLED_BY_CUSTOMER: "O cliente cancelou a operação.",
  CANCELLED_BY_PARTNER: "O parceiro cancelou a operação.",
  CORRECTION_EXPIRED: "Os dados recusados não foram corrigidos a tempo.",
  CONFLICT_EXPIRED:
    "A instituição financeira devolveu outro contrato para esta proposta, e o conflito não foi resolvido a tempo.",
  OFFER_EXPIRED: "A oferta expirou antes do envio do contrato."
}

interface WithMessage {
  readonly code: string
  readonly message: string
}

const isRejection = (value: unknown): value is WithMessage =>
  Predicate.isReadonlyObject(value) && typeof value["code"] === "string" && typeof value["message"] === "string"

const translateMember = (name: string, value: unknown): unknown => {
  if (name !== "rejection" || !isRejection(value)) return translate(value)
  const rejection = ownRejectionOf(value)
  return rejection === undefined ? value : { ...value, message: messagesPtBr[rejection] }
}

const translate = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(translate)
  return Predicate.isReadonlyObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, translateMember(name, member)]))
    : value
}

/**
 * Returns a copy of a JSON value with the messages of rejections in this language. Translates only Lastro's own
 * rejections, not those of a lender.
 */
export const localizeRejections = (value: unknown, language: Language): unknown =>
  language === "en" ? value : translate(value)
