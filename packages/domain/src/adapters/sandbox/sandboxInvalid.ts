import { type Customer, type KycValues } from "../../kyc/KycValues.ts"
import { type InvalidField } from "../../lender/LenderFailures.ts"
import { sandboxDigits, sandboxScenario } from "./sandboxScenarios.ts"

/** The only house number that this scenario accepts: "sem número". */
const acceptedHouseNumber = "S/N"

/**
 * In one scenario of the sandbox, the lender refuses every house number of the address except `S/N`. A submission with
 * `S/N` succeeds. Returns the refused fields.
 * @rule SANDBOX-09
 */
export const sandboxInvalid = (
  { customer, kyc }: { readonly customer: Pick<Customer, "cpf">; readonly kyc: Pick<KycValues, "address"> }
): ReadonlyArray<InvalidField> =>
  sandboxScenario(sandboxDigits(customer.cpf)).refuses_number && kyc.address?.number !== acceptedHouseNumber
    ? [{ field: "address.number", code: "NUMBER_NOT_FOUND" }]
    : []
