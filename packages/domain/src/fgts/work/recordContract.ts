import { Effect } from "effect"
import { type Application } from "../application/Application.ts"
import { decideRecordContract } from "../application/decideContract.ts"
import { type LenderContract } from "../lender/Lender.ts"
import { recording } from "./recording.ts"

/** Records the state of a contract at the lender. Returns whether it was a change; without a change there is no transaction. */
export const recordContract = Effect.fnUntraced(function*(application: Application, contract: LenderContract) {
  const news = decideRecordContract(application, { _tag: "RecordContract", at: application.updated_at, contract })
  if (news.length === 0) return false
  yield* recording(
    application,
    "application.contract",
    (present, at) => decideRecordContract(present, { _tag: "RecordContract", at, contract })
  )
  return true
})
