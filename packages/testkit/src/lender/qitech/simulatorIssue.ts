import { randomUUID } from "node:crypto"
import { answered, refusedWith, type SimulatedAnswer } from "./SimulatedAnswer.ts"
import { createDebt, type IssueBody, issuedBody, missingOfIssue } from "./SimulatedDebts.ts"
import { judgeFinancial } from "./simulatorQuotes.ts"
import { announce, type SimulatedRequest, type SimulatorState } from "./simulatorState.ts"

/** Stores a document. */
export const upload = ({ documents }: SimulatorState, { file }: SimulatedRequest): SimulatedAnswer => {
  if (file === null) return refusedWith(400, "QIT000001", "Schema Error: file")
  const document_key = randomUUID()
  documents.set(document_key, file)
  return answered({ document_key, document_md5: "see the request" })
}

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Creates a debt. */
export const issue = (state: SimulatorState, { json }: SimulatedRequest): SimulatedAnswer => {
  const body = json as IssueBody
  const missing = missingOfIssue(body)
  // QI Tech does not document how it names the fields of an invalid body. The description is an assumption.
  if (missing.length > 0) return refusedWith(400, "LEG000069", `Invalid request body: ${missing.join(", ")}`)
  const complete = body as Parameters<typeof createDebt>[0]
  const key = complete.requester_identifier_key
  if (key === undefined || !uuid4.test(key)) {
    return refusedWith(400, "LEG000069", "Invalid request body: requester_identifier_key")
  }
  if ([...state.debts.values()].some((one) => one.requester_identifier_key === key)) {
    return refusedWith(400, "LEG000070", "There is a debt with this key.")
  }
  if (!state.documents.has(String(complete.borrower["document_identification"]))) {
    return refusedWith(400, "LEG000069", "Invalid request body: document_identification is unknown")
  }
  const refused = judgeFinancial(state, complete.financial)
  if (refused !== undefined) return refused
  if (complete.disbursement_bank_accounts.some(state.isAccountRefused)) {
    return refusedWith(400, "COP000157", "Invalid account.")
  }
  const created = createDebt(complete, state.debts.size + 1, state.now())
  const debt = {
    ...created,
    data: { ...created.data, disbursed_issue_amount: created.data.disbursed_issue_amount - state.shortfall() }
  }
  state.debts.set(debt.key, debt)
  announce(state, debt, "waiting_signature", issuedBody(debt).data)
  return answered(issuedBody(debt), 201)
}
