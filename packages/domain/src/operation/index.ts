export { type Unpermitted } from "../access/Authorization.ts"
export {
  type AnswerOf,
  chooseByQuery,
  type InputKind,
  type Operation,
  type OperationInput,
  type PermittedCall
} from "./Operation.ts"
export { type OperationName, operations } from "./operations.ts"
