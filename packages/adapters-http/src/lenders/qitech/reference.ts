/** The debt and the payment attempt that a reference names. */
export interface DebtReference {
  readonly key: string
  /** Number of the payment attempt, starting at 1. */
  readonly attempt: number
}

/**
 * The reference of a contract is the key of its debt, followed by `/` and the number of the payment attempt from the second on. QI Tech does
 * not number the attempts.
 */
export const referenceOf = ({ attempt, key }: DebtReference): string => attempt === 1 ? key : `${key}/${attempt}`

/** Reads a reference. */
export const readReference = (reference: string): DebtReference => {
  const [key = "", attempt] = reference.split("/")
  return { key, attempt: attempt === undefined ? 1 : Number(attempt) }
}
