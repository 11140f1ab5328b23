/**
 * Computes the modulo-11 check digit of Brazilian documents.
 *
 * - The value of a character is its code minus 48: `0` to `9` are 0 to 9, `A` to `Z` are 17 to 42.
 * - The weights are assigned from the right: 2, 3, … up to `heaviest`, then again from 2.
 * - If `r` is the weighted sum modulo 11, the check digit is 0 for `r < 2`, and `11 - r` otherwise.
 *
 * Source for CNPJ: Receita Federal, IN RFB 2.229/2024. The weights of a CPF never start again from 2.
 */
export const checkDigit = (characters: string, heaviest: number): string => {
  const last = characters.length - 1
  let sum = 0
  for (let index = 0; index <= last; index++) {
    sum += (characters.charCodeAt(index) - 48) * (2 + (last - index) % (heaviest - 1))
  }
  const remainder = sum % 11
  return remainder < 2 ? "0" : String(11 - remainder)
}
