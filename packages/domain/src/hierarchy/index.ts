export { DomainCopiesMixed, layerDomainCopy } from "./domainCopy.ts"
export { DuplicatePartner, type Hierarchy, hierarchyOf, judgeWithin, ParentCycle, UnknownParent } from "./Hierarchy.ts"
export {
  asOperator,
  type FoundRecord,
  type InScope,
  judgeFound,
  NotFound,
  OutsideHierarchy,
  parseRecordId,
  sealFound,
  type SubtreeScope
} from "./Scope.ts"
