import { type Offer } from "../offer/Offer.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/**
 * An offer is expired at `expires_at` and at any later time.
 * @rule FGTS-06
 */
export const isExpired = ({ expires_at }: Pick<Offer, "expires_at">, at: Timestamp): boolean => expires_at <= at
