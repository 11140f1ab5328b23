export { type Hierarchy, hierarchyOf, judgeWithin, ParentsInCircle, ParentUnknown, PartnerTwice } from "./Hierarchy.ts"
export { PartnerTree, type TreeNode } from "./PartnerTree.ts"
export {
  asOperator,
  existingId,
  type Found,
  found,
  type InScope,
  judge,
  NotFound,
  OutsideHierarchy,
  type Scope
} from "./Scope.ts"
