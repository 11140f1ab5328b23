import { type SqlError } from "effect/sql"

/** Returns the SQLSTATE of an error that the server reported. Errors of the network have none. */
export const sqlStateOf = ({ reason: { cause } }: SqlError.SqlError): string | undefined => {
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
