import { type Cpf } from "../../documents/Cpf.ts"
import { type Centavos, centavos } from "../../money/Centavos.ts"

const least = 1_000_00
const most = 6_000_00

/** Hashes a text to a number from 0 to 1 (FNV-1a with the finaliser of MurmurHash3). */
const evenlySpread = (text: string): number => {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 0xffffffff
}

/**
 * In the sandbox the FGTS balance is derived from the CPF: R$ 1 000.00 to R$ 6 000.00, log-uniform.
 * @rule SANDBOX-02
 */
export const sandboxBalance = (cpf: Cpf): Centavos => centavos(Math.round(least * (most / least) ** evenlySpread(cpf)))
