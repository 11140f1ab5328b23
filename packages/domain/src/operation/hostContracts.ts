import { recordAcceptance, recordEnd, recordPayment, recordReversal } from "../commission/RecordContract.ts"
import { noAddress } from "./Address.ts"
import { operation, requirePermission } from "./Operation.ts"

const entry = { requires: requirePermission("commissions:write"), address: noAddress, takes: "command" } as const

/** The operations of a host that has loans of its own. They are not part of the HTTP API. */
export const hostContracts = {
  recordAcceptance: operation({ ...entry, useCase: recordAcceptance }),
  recordPayment: operation({ ...entry, useCase: recordPayment }),
  recordReversal: operation({ ...entry, useCase: recordReversal }),
  recordEnd: operation({ ...entry, useCase: recordEnd })
}
