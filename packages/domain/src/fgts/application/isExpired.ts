import { type Timestamp } from "../../time/Timestamp.ts"
import { type Offer } from "../quote/Offer.ts"

/**
 * An offer is expired at `expires_at` and at any later time.
 * @rule FGTS-06
 */
export const isExpired = ({ expires_at }: Pick<Offer, "expires_at">, at: Timestamp): boolean => expires_at <= at
