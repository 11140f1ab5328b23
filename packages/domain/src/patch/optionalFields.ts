import { Schema, Struct } from "effect"

/** The fields of a patch request: each of a record's fields, none of them required. */
export const optionalFields = <F extends Schema.Struct.Fields>(fields: F) => Struct.map(fields, Schema.optionalKey)
