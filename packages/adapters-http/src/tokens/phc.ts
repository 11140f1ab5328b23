import { type PasswordHash } from "@lastro/domain/identity"
import { Option } from "effect"

/** The cost parameters of argon2id. `memory` is in KiB. */
export interface Argon2Cost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** An argon2id hash with its cost and salt. */
export interface Argon2Hash {
  readonly cost: Argon2Cost
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "")

const shape = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/** Formats a hash as a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export const formatPhc = ({ cost: { memory, parallelism, passes }, hash, salt }: Argon2Hash): PasswordHash =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}` as PasswordHash

/** Parses a PHC string. None if it is not an argon2id hash. */
export const parsePhc = (text: PasswordHash): Option.Option<Argon2Hash> => {
  const [, memory, passes, parallelism, salt, hash] = shape.exec(text) ?? []
  return salt === undefined || hash === undefined
    ? Option.none()
    : Option.some({
      cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
      salt: Buffer.from(salt, "base64"),
      hash: Buffer.from(hash, "base64")
    })
}
