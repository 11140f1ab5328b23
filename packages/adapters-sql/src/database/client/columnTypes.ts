import { PgTypes } from "@effect/sql-pg"

type Decode = (text: string) => unknown

const { OID } = PgTypes

const decodeBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), "hex"))

/** Decodes a time in the ISO style of PostgreSQL, in UTC: `2026-01-31 12:00:00.123456+00`. */
const decodeTime = (text: string): Date => new Date(`${text.replace(" ", "T").replace(/\+00$/, "")}Z`)

const identity: Decode = (text) => text

/**
 * The decoders of the text format, by type. They return the same values as Lastro's own client, which reads the binary
 * format. They require the settings in `ClientSettings.ts`.
 */
const decoders = new Map<number, Decode>([
  [OID.bool, (text) => text === "t"],
  [OID.int2, Number],
  [OID.int4, Number],
  [OID.oid, Number],
  [OID.float4, Number],
  [OID.float8, Number],
  [OID.int8, BigInt],
  [OID.numeric, identity],
  [OID.text, identity],
  [OID.varchar, identity],
  [OID.bpchar, identity],
  [OID.name, identity],
  [OID.uuid, identity],
  [OID.date, identity],
  [OID.bytea, decodeBytes],
  [OID.json, JSON.parse],
  [OID.jsonb, JSON.parse],
  [OID.timestamp, decodeTime],
  [OID.timestamptz, decodeTime]
])

/** Decodes a one-dimensional array such as `{a,"b c",NULL}`. */
const decodeArray = (decode: Decode): Decode => (text) =>
  Array.from(
    text.matchAll(/"((?:[^"\\]|\\.)*)"|([^",{}]+)/g),
    ([, quoted, plain = ""]) => {
      if (quoted !== undefined) return decode(quoted.replace(/\\(.)/g, "$1"))
      return plain === "NULL" ? null : decode(plain)
    }
  )

const arrayDecoders = new Map(
  Array.from(decoders, ([oid, decode]) => [PgTypes.arrayOidFor(oid), decodeArray(decode)] as const)
)

const known: ReadonlySet<number> = new Set(Object.values(OID))

/**
 * Returns the decoder of a column type. Values of a type that is not in `OID`, such as an enum, stay texts. For any
 * other type without a decoder, the returned function throws. No statement of Lastro has a column of such a type.
 */
export const decoderOf = (oid: number): Decode =>
  decoders.get(oid) ?? arrayDecoders.get(oid) ?? ((text) => {
    if (!known.has(oid)) return text
    throw new Error(`A statement of Lastro returned a column of the type ${oid}, for which there is no decoder`)
  })
