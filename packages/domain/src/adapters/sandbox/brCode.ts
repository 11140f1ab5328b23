import { type Centavos } from "../../values/Centavos.ts"

/** Formats a field of a BR Code: its id, the length of its value in two digits, and its value. */
const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, "0")}${value}`

/** Computes the CRC of a BR Code: CRC-16 with the polynomial 0x1021 and the start value 0xFFFF, as four hex digits. */
const checksum = (text: string): string => {
  let crc = 0xffff
  for (const character of text) {
    crc ^= character.charCodeAt(0) << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}

/** The content of a PIX code. */
export interface BrCode {
  /** The PIX key of the payee. */
  readonly key: string
  /** Null: the payer chooses the amount. */
  readonly amount: Centavos | null
  /** The name of the payee: at most 25 ASCII characters. */
  readonly name: string
  /** The city of the payee: at most 15 ASCII characters. */
  readonly city: string
  /** The id of the payment: 1 to 25 letters and digits. `***`: the payment has no id. */
  readonly txid: string
}

/**
 * Returns a static BR Code, the text of a PIX QR code that a customer pastes into a bank's app.
 *
 * Source: Banco Central do Brasil, Manual de Padrões para Iniciação do Pix; EMV QRCPS, Merchant-Presented Mode 1.1.
 */
export const brCode = ({ amount, city, key, name, txid }: BrCode): string => {
  const fields = [
    field("00", "01"),
    field("26", field("00", "br.gov.bcb.pix") + field("01", key)),
    field("52", "0000"),
    field("53", "986"),
    amount === null ? "" : field("54", (amount / 100).toFixed(2)),
    field("58", "BR"),
    field("59", name),
    field("60", city),
    field("62", field("05", txid)),
    "6304"
  ].join("")
  return fields + checksum(fields)
}
