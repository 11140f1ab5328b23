import { type CallerFunctions } from "./CallerFunctions.ts"
import { type EventFunctions } from "./EventFunctions.ts"
import { type ExportFunctions } from "./ExportFunctions.ts"
import { type Facade } from "./Facade.ts"
import { type HostFunctions } from "./HostFunctions.ts"
import { type IdentityFunctions } from "./IdentityFunctions.ts"
import { type LastroTransaction, type TransactionFunctions } from "./LastroTransaction.ts"
import { type LenderFunctions } from "./LenderFunctions.ts"
import { type OperatorFunctions } from "./OperatorFunctions.ts"
import { type PrivacyFunctions } from "./PrivacyFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"
import { type WorkFunctions } from "./WorkFunctions.ts"

/** Every use case as a function that returns a promise. `More` are further services of the layer, besides the ports. */
export interface Lastro<More = never>
  extends
    CallerFunctions,
    EventFunctions<LastroTransaction<More>>,
    ExportFunctions,
    HostFunctions,
    IdentityFunctions,
    LenderFunctions,
    OperatorFunctions,
    PrivacyFunctions,
    TransactionFunctions<LastroTransaction<More>>,
    WorkFunctions,
    Facade<UseCasePorts | More>
{}

/** Thrown by a call after `close`. */
export class LastroClosed extends Error {
  override readonly name = "LastroClosed"
  constructor() {
    super("This Lastro is closed. Open another one with openLastro.")
  }
}
