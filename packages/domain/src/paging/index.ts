export { codeSortKey, compareBy, type SortKey } from "./compareBy.ts"
export {
  type CostlyLimits,
  CostlyReads,
  type CostlyTurns,
  defaultCostlyLimits,
  makeCostlyTurns,
  readInTurn,
  readList,
  type WhileWaiting
} from "./CostlyReads.ts"
export { type FilterParser, maxFilterLength, parseTextFilter } from "./Filter.ts"
export { type FoldedText, foldText, matchesFolded } from "./fold.ts"
export {
  type FilterParsers,
  type FilterValues,
  type GroupParser,
  type GroupParsers,
  type GroupValues,
  type ListDefinition,
  type ListQuery,
  parseListQuery
} from "./ListQuery.ts"
export { type ListSlice, type Page, PageInfo, pageOf, pageSchema, SortInfo, takePage } from "./Page.ts"
export { defaultPageSize, maxPageNumber, maxPageSize, offsetOf, type PageRequest } from "./PageRequest.ts"
export { type RawQuery, type RawValue } from "./RawQuery.ts"
export { CostlyAbove, exceedBudget, ReadBudget, ReadBudgetExceeded, withinBudget } from "./ReadBudget.ts"
export { parseSort, type SortBy, type SortDirection, sortDirections } from "./Sort.ts"
