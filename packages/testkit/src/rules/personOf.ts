import { type KycValues } from "@lastro/domain"

/** Everything of a KYC but where to pay. */
export const personOf = ({ bank: _bank, disbursement_method: _method, pix: _pix, ...person }: KycValues) => person
