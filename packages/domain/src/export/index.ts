export { type CsvColumn, csvColumns, type CsvFormat, csvFormats, csvHeader, csvLine } from "./csv.ts"
export { type ExportedRecord, exportList, type ExportName, exports, isExported } from "./exportList.ts"
export {
  defaultExportLimits,
  type ExportLimits,
  Exports,
  type ExportSlots,
  makeExportSlots,
  TooManyExports
} from "./ExportSlots.ts"
