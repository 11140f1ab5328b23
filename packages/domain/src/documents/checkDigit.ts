/**
 * The modulo-11 check digit of Brazilian documents: the characters' values (code minus 48, so `0` to `9` and 17 to 42
 * for `A` to `Z`) are weighted from the right by 2, 3, … up to `heaviest` and again from 2; with `r` the sum's remainder
 * by 11, the digit is 0 when `r < 2` and `11 - r` otherwise.
 *
 * Source for CNPJ: Receita Federal, IN RFB 2.229/2024; CPF is the same with weights that do not start again.
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
