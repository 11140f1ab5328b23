import { Result } from "effect"
import { idOf } from "../id/Uuid.ts"
import { NotFound } from "./Scope.ts"

/**
 * The id of a record that a text names; a malformed one is no record's id, and NOT_FOUND.
 * @rule ID-02
 */
export const existingId = <Id extends string>(text: string): Result.Result<Id, NotFound> =>
  Result.fromOption(idOf<Id>(text), () => new NotFound())
