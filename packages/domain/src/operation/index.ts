export {
  type AnswerOf,
  chooseByQuery,
  type InputKind,
  type Operation,
  type OperationInput,
  type PermittedCall,
  type Unpermitted
} from "./Operation.ts"
export { type OperationName, operations } from "./operations.ts"
