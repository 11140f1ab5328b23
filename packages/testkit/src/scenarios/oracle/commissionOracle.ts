/** A partner of a chain that begins with the root. `percent` is a decimal text, for example `12.5`. */
export interface OracleLink {
  readonly partner: string
  readonly percent: string
}

/** Divides a percent by 100. Returns the digits of the result, and its number of decimals as the scale. */
const digitsOf = (percent: string): { readonly digits: bigint; readonly scale: number } => {
  const [whole = "0", fraction = ""] = percent.split(".")
  return { digits: BigInt(whole + fraction), scale: fraction.length + 2 }
}

/** Rounds digits, of which `scale` are decimals, half up to a whole number. */
const roundDigits = (digits: bigint, scale: number): number => {
  const text = String(digits).padStart(scale + 1, "0")
  const whole = Number(text.slice(0, text.length - scale))
  return text.charAt(text.length - scale) >= "5" && scale > 0 ? whole + 1 : whole
}

/**
 * Computes the commission of each partner of a chain in centavos, with the digits of decimal numbers. The domain's
 * rules are another implementation, with shares in whole millionths.
 */
export const commissionOracle = (
  basis: number,
  chain: ReadonlyArray<OracleLink>
): ReadonlyMap<string, number> => {
  /** The amount that each partner receives, before it passes on the amount of the next partner. */
  const received: Array<number> = []
  let digits = BigInt(basis)
  let scale = 0
  for (const { percent } of chain) {
    const factor = digitsOf(percent)
    digits *= factor.digits
    scale += factor.scale
    received.push(roundDigits(digits, scale))
  }
  return new Map(chain.map(({ partner }, index) => [partner, (received[index] ?? 0) - (received[index + 1] ?? 0)]))
}
