import { anyState, type Precondition } from "../transaction/Precondition.ts"
import { isSame } from "../validation/isSame.ts"
import { type ChangeOptions } from "./CallOptions.ts"

/** Whether a record is still the one that a change was based on. */
export const basedOn = <A>(options: ChangeOptions<A> | undefined): Precondition<A> =>
  options?.based_on === undefined ? anyState : (current) => isSame(current, options.based_on)
