export { anyState, type Precondition, PreconditionFailed } from "./Precondition.ts"
export { Busy, UnitOfWork } from "./UnitOfWork.ts"
