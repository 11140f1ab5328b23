import { type Timestamp, timestampOf } from "@lastro/domain/values"

/** Converts a `timestamptz` value of the driver. */
export const toTimestamp = (at: Date): Timestamp => timestampOf(at.getTime())

/** Converts a nullable `timestamptz` value of the driver. */
export const toNullableTimestamp = (at: Date | null): Timestamp | null => at === null ? null : timestampOf(at.getTime())
