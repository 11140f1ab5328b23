import { maxMetadataKeyLength, maxMetadataKeys, type Metadata, orderedMetadata } from "@lastro/domain/values"
import * as fc from "fast-check"
import { unicodeText } from "./paging.ts"

/** Keys of metadata: often from a small set, sometimes the names of members that every JavaScript object has, sometimes any text. */
export const metadataKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("plan", "region", "crm_id") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "0", "10", "a.b", "ação", " ", "😀")
  },
  {
    weight: 1,
    arbitrary: unicodeText.map((text) =>
      Array.from(text.replace(/[\p{Cc}[\]]/gu, "")).slice(0, maxMetadataKeyLength).join("") || "key"
    )
  }
)

/** Values of metadata: often from a small set, sometimes any text. */
export const metadataValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("gold", "silver", "") },
  { weight: 1, arbitrary: unicodeText.map((text) => text.replaceAll("\0", "")) }
)

/** Valid metadata, mostly with few keys. */
export const metadata: fc.Arbitrary<Metadata> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 8, arbitrary: entriesOf(metadataKey, 4) },
  { weight: 1, arbitrary: entriesOf(fc.nat({ max: 200 }).map((index) => `key ${index}`), maxMetadataKeys) }
)

function entriesOf(key: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<Metadata> {
  return fc.array(fc.tuple(key, metadataValue), { maxLength }).map((entries) => orderedMetadata(new Map(entries)))
}
