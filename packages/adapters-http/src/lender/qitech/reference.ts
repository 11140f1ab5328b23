/** The key of the debt and the payment attempt that a contract reference contains. */
export interface DebtReference {
  readonly key: string
  /** Number of the payment attempt, starting at 1. */
  readonly attempt: number
}

/**
 * Makes the reference of a contract: the key of its debt. From the second payment attempt on, `/` and the number of the
 * attempt follow, because QI Tech does not number the attempts.
 */
export const referenceOf = ({ attempt, key }: DebtReference): string => attempt === 1 ? key : `${key}/${attempt}`

/** Splits a contract reference into the key of the debt and the payment attempt. */
export const readReference = (reference: string): DebtReference => {
  const [key = "", attempt] = reference.split("/")
  return { key, attempt: attempt === undefined ? 1 : Number(attempt) }
}
