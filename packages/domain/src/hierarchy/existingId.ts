import { Result } from "effect"
import { idOf } from "../id/Uuid.ts"
import { NotFound } from "./Scope.ts"

/**
 * A malformed id of a record is NotFound, like an unknown one.
 * @rule ID-02
 */
export const existingId = <Id extends string>(text: string): Result.Result<Id, NotFound> =>
  Result.fromOption(idOf<Id>(text), () => new NotFound())
