import { type Timestamp, timestampOf } from "@lastro/domain"

/** An instant as the driver reads it from a column. */
export const timestamp = (at: Date): Timestamp => timestampOf(at.getTime())

/** The same for a column that may be null. */
export const timestampOrNull = (at: Date | null): Timestamp | null => at === null ? null : timestampOf(at.getTime())
