import { type Timestamp, timestampOf } from "@lastro/domain"

/** Converts a `timestamptz` value of the driver. */
export const timestamp = (at: Date): Timestamp => timestampOf(at.getTime())

/** Converts a nullable `timestamptz` value of the driver. */
export const timestampOrNull = (at: Date | null): Timestamp | null => at === null ? null : timestampOf(at.getTime())
