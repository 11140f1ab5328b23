import { authorizeStatement } from "../access/Authorization.ts"
import { compareCommissionStatement } from "../commission/CompareStatement.ts"
import { listCommissions } from "../commission/ListCommissions.ts"
import { getCurrentCommissionPlan, listCommissionPlans } from "../commission/ReadPlans.ts"
import { recordAcceptance, recordEnd, recordPayment, recordReversal } from "../commission/RecordContract.ts"
import { adjustCommission, closeCommissions, createCommissionPayout } from "../commission/Settle.ts"
import { listCommissionPayouts, summarizeCommissions } from "../commission/Summarize.ts"
import { createCommissionPlan } from "../commission/WritePlan.ts"
import { noAddress, partner, partnerAction } from "./Address.ts"
import { operation, type Requirement, requirePermission } from "./Operation.ts"

const readCommissions = requirePermission("commissions:read")
const writeCommissions = requirePermission("commissions:write")
const compareStatements: Requirement<"statements:write"> = {
  permission: "commissions:write",
  check: authorizeStatement
}

/** The operations on commissions. `CommissionFunctions` describes each one. */
export const commissions = {
  createCommissionPlan: operation({
    requires: writeCommissions,
    address: partnerAction,
    takes: "command",
    useCase: createCommissionPlan
  }),
  listCommissionPlans: operation({
    requires: readCommissions,
    address: partnerAction,
    takes: "list",
    useCase: listCommissionPlans
  }),
  getCurrentCommissionPlan: operation({
    requires: readCommissions,
    address: partner,
    takes: "optional query",
    useCase: getCurrentCommissionPlan
  }),
  listCommissions: operation({
    requires: readCommissions,
    address: noAddress,
    takes: "list",
    useCase: listCommissions
  }),
  summarizeCommissions: operation({
    requires: readCommissions,
    address: noAddress,
    takes: "list",
    useCase: summarizeCommissions
  }),
  adjustCommission: operation({
    requires: writeCommissions,
    address: noAddress,
    takes: "command",
    useCase: adjustCommission
  }),
  closeCommissions: operation({
    requires: writeCommissions,
    address: noAddress,
    takes: "command",
    useCase: closeCommissions
  }),
  createCommissionPayout: operation({
    requires: writeCommissions,
    address: noAddress,
    takes: "command",
    useCase: createCommissionPayout
  }),
  listCommissionPayouts: operation({
    requires: readCommissions,
    address: noAddress,
    takes: "list",
    useCase: listCommissionPayouts
  }),
  compareCommissionStatement: operation({
    requires: compareStatements,
    address: noAddress,
    takes: "file",
    useCase: compareCommissionStatement
  })
}

const entry = { requires: writeCommissions, address: noAddress, takes: "command" } as const

/** The operations of a host that has loans of its own. They are not part of the HTTP API. */
export const hostContracts = {
  recordAcceptance: operation({ ...entry, useCase: recordAcceptance }),
  recordPayment: operation({ ...entry, useCase: recordPayment }),
  recordReversal: operation({ ...entry, useCase: recordReversal }),
  recordEnd: operation({ ...entry, useCase: recordEnd })
}
