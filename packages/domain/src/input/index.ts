export { codeSortKey, compareBy, positionBy, type SortKey } from "./compareBy.ts"
export { decode } from "./decode.ts"
export { describeIssue } from "./describeIssue.ts"
export { field, nullWhenAbsent } from "./field.ts"
export { FieldErrorCode } from "./FieldErrorCode.ts"
export { type FieldProblem, type Problem, problem, type ProblemParams } from "./FieldProblem.ts"
export { type FilterParser, maxFilterLength, parseTextFilter } from "./Filter.ts"
export { type FoldedText, foldText, matchesFolded } from "./fold.ts"
export { canonicalJson, isJson, maxBodyDepth } from "./json.ts"
export {
  type FilterParsers,
  type FilterValues,
  type GroupParser,
  type GroupParsers,
  type GroupValues,
  type ListDefinition,
  type ListQuery,
  parseListQuery,
  type RequestedQuery,
  type WholeQuery
} from "./ListQuery.ts"
export {
  type ListPosition,
  type ListSlice,
  type Page,
  PageInfo,
  pageOf,
  pageSchema,
  SortInfo,
  takePage
} from "./Page.ts"
export { defaultPageSize, maxPageNumber, maxPageSize, offsetOf, type PageRequest } from "./PageRequest.ts"
export { makePatch, optionalFields, type Patch, type PatchResult } from "./Patch.ts"
export { anyState, type Precondition, PreconditionFailed } from "./Precondition.ts"
export { type RawQuery, type RawValue, unknownParameters } from "./RawQuery.ts"
export { parseSort, type SortBy, type SortDirection, sortDirections } from "./Sort.ts"
export { parseText, type TextBounds, textSchema } from "./Text.ts"
export { invalidFormat, type TextFormat } from "./TextFormat.ts"
export { type TextParser } from "./textParser.ts"
export { ValidationFailed } from "./ValidationFailed.ts"
export { type NumberBounds } from "./wholeNumber.ts"
