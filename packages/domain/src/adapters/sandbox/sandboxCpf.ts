import { completeCpf, type Cpf } from "../../values/Cpf.ts"

/** The range of the first nine digits of a CPF. */
const [first, last] = [100_000_000, 999_999_999]

/**
 * Returns a CPF that ends in the given two digits, for demonstrations and tests. Each `index` below one million yields
 * a different CPF. Throws a RangeError if `digits` is not exactly two digits.
 */
export const sandboxCpf = (digits: string, index = 0): Cpf => {
  if (!/^\d\d$/.test(digits)) throw new RangeError("`digits` must be exactly two digits")
  for (let number = first + index * 800; number <= last; number++) {
    if (new Set(String(number)).size === 1) continue
    const cpf = completeCpf(String(number))
    if (cpf.endsWith(digits)) return cpf
  }
  throw new RangeError("`index` is too large: there is no CPF for it")
}
