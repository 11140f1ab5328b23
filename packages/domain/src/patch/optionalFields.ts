import { Schema, Struct } from "effect"

/** Makes all fields of a record optional, for a patch request. */
export const optionalFields = <F extends Schema.Struct.Fields>(fields: F) => Struct.map(fields, Schema.optionalKey)
