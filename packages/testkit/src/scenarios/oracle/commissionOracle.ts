/** A partner of a chain that begins with the root, and its percent as decimal text: `12.5`. */
export interface OracleLink {
  readonly partner: string
  readonly percent: string
}

/** Divides a decimal text by 100. Returns its digits, and the number of decimals as the scale. */
const digitsOf = (percent: string): { readonly digits: bigint; readonly scale: number } => {
  const [whole = "0", fraction = ""] = percent.split(".")
  return { digits: BigInt(whole + fraction), scale: fraction.length + 2 }
}

/** Rounds digits with `scale` decimals half up to a whole number, by the first dropped digit. */
const roundDigits = (digits: bigint, scale: number): number => {
  const text = String(digits).padStart(scale + 1, "0")
  const whole = Number(text.slice(0, text.length - scale))
  return text.charAt(text.length - scale) >= "5" && scale > 0 ? whole + 1 : whole
}

/**
 * Computes the commission of each partner of a chain in centavos, with the digits of decimal numbers. It is independent
 * of the domain's rules, which use shares in whole millionths.
 */
export const commissionOracle = (
  basis: number,
  chain: ReadonlyArray<OracleLink>
): ReadonlyMap<string, number> => {
  const reaching: Array<number> = []
  let digits = BigInt(basis)
  let scale = 0
  for (const { percent } of chain) {
    const factor = digitsOf(percent)
    digits *= factor.digits
    scale += factor.scale
    reaching.push(roundDigits(digits, scale))
  }
  return new Map(chain.map(({ partner }, index) => [partner, (reaching[index] ?? 0) - (reaching[index + 1] ?? 0)]))
}
