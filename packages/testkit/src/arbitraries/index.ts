export { type QuotationExample, quotationFor, type TableExample } from "../offer/quotationFor.ts"
export * from "./audits.ts"
export * from "./documents.ts"
export * from "./histories.ts"
export { type HistoryInput, quotation, type TimedInput, wish } from "./historyInputs.ts"
export * from "./identity.ts"
export * from "./kyc.ts"
export * from "./origination.ts"
export {
  codePoint,
  illFormedText,
  integerText,
  listPageOf,
  type Needle,
  needle,
  needleIn,
  pageRequest,
  rawQuery,
  sliceOf,
  type SortExample,
  sortOf,
  sortValues,
  unicodeText
} from "./paging.ts"
export * from "./partners.ts"
export * from "./patches.ts"
export * from "./users.ts"
