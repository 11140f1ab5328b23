import { Effect } from "effect"
import { recordChange } from "../event/recordChange.ts"
import { Refusal } from "../input/Refusal.ts"
import { type Application } from "../loan/Application.ts"
import { type ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { applicationUpdated } from "../origination/eventsOfLoan.ts"
import { endWaits } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type ApplicationId, type PartnerId, type UserId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { eraseAccounts } from "./eraseAccounts.ts"
import { eraseSeller } from "./eraseApplication.ts"
import { cancelBeforeErasure, eraseOne } from "./eraseOne.ts"
import { type HeldPartner, type HeldRecords, type HeldUser, PersonalDataStore } from "./PersonalDataStore.ts"
import { defaultRetentionYears, judgeErasure, keptUntil } from "./Retention.ts"

/** An application that prevents an erasure, because its contract or refund is in progress. */
export interface UnfinishedApplication {
  readonly application_id: ApplicationId
  readonly status: ApplicationStatus
}

/** A contract or a refund of the person is in progress (PRIV-02). Nothing was changed. */
export class ErasureTooEarly extends Refusal(
  "ErasureTooEarly",
  "A contract or a refund of this person is in progress. Erase the person when it has ended."
)<{
  readonly applications: ReadonlyArray<UnfinishedApplication>
}> {}

/**
 * A kept record, and the reason.
 * - `PAID_CONTRACT`: a paid contract of the person, kept until the end of the day `until` (PRIV-01).
 * - `SOLD_CONTRACT`: the name and the CPF of the person as the seller of a contract. Kept until the end of the day
 *   `until` (PRIV-01), and as long as the person still has a user or a partner.
 * - `USER_EXISTS`, `PARTNER_EXISTS`: the record is in use. Delete it, and erase the person again.
 * - `PIX_KEY_IN_USE`: an existing partner of someone else has the CPF as its PIX key. Replace the key.
 */
export interface KeptRecord {
  readonly reason: "PAID_CONTRACT" | "SOLD_CONTRACT" | "USER_EXISTS" | "PARTNER_EXISTS" | "PIX_KEY_IN_USE"
  /** The id of the application, user or partner. */
  readonly id: string
  /** The last day on which the record must be kept. Null if it is only kept because it is in use. */
  readonly until: CalendarDate | null
}

/** The result of an erasure. */
export interface Erasure {
  readonly cancelled: ReadonlyArray<ApplicationId>
  readonly applications: ReadonlyArray<ApplicationId>
  readonly users: ReadonlyArray<UserId>
  readonly partners: ReadonlyArray<PartnerId>
  /** The applications in which the seller was erased. */
  readonly sales: ReadonlyArray<ApplicationId>
  readonly kept: ReadonlyArray<KeptRecord>
}

/** Options of an erasure. */
export interface ErasureOptions {
  /** The time for which a paid contract is kept after its end, in years. Default: 5. */
  readonly retention_years?: number | undefined
}

const isDeleted = ({ deleted_at }: HeldPartner | HeldUser): boolean => deleted_at !== null

/**
 * Users and partners are erased only after their deletion. Until then they are in use, so their data is necessary for
 * its purpose. A partner that has the CPF only as its PIX key is not the person: its reason is PIX_KEY_IN_USE.
 *
 * Source: LGPD, art. 15, I and art. 16.
 * @rule PRIV-11
 */
export const keptAccounts = (
  { partners, users }: Pick<HeldRecords, "partners" | "users">,
  cpf: Cpf
): ReadonlyArray<KeptRecord> => {
  const keptUsers = users.filter((held) => !isDeleted(held)).map(({ user }): KeptRecord => ({
    reason: "USER_EXISTS",
    id: user.user_id,
    until: null
  }))
  const keptPartners = partners.filter((held) => !isDeleted(held)).map(({ partner }): KeptRecord => {
    const isPerson = String(partner.document_number) === String(cpf)
    return { reason: isPerson ? "PARTNER_EXISTS" : "PIX_KEY_IN_USE", id: partner.partner_id, until: null }
  })
  return [...keptUsers, ...keptPartners]
}

/** Returns the applications that are unfinished, that must be kept, and that are due for erasure. */
const judgeAll = (applications: ReadonlyArray<Application>, at: Timestamp, retentionYears: number) => {
  const unfinished: Array<UnfinishedApplication> = []
  const kept: Array<KeptRecord> = []
  const due: Array<{ readonly application: Application; readonly isCancelledFirst: boolean }> = []
  for (const application of applications) {
    const { application_id } = application
    const verdict = judgeErasure(application, at, retentionYears)
    if (verdict._tag === "WAIT") unfinished.push({ application_id, status: verdict.status })
    else if (verdict._tag === "KEEP") kept.push({ reason: "PAID_CONTRACT", id: application_id, until: verdict.until })
    else due.push({ application, isCancelledFirst: verdict.isCancelledFirst })
  }
  return { unfinished, kept, due }
}

/**
 * Erases the person as the seller of contracts that need not be kept, unless the person still has a user or a partner.
 * Returns the erased and the kept contracts.
 */
const eraseSales = Effect.fnUntraced(function*(
  sales: ReadonlyArray<Application>,
  hasAccount: boolean,
  cpf: Cpf,
  at: Timestamp,
  retentionYears: number
) {
  const store = yield* PersonalDataStore
  const erased: Array<ApplicationId> = []
  const kept: Array<KeptRecord> = []
  for (const sale of sales) {
    const verdict = judgeErasure(sale, at, retentionYears)
    if (verdict._tag === "ERASE" && !hasAccount) {
      const { application_id, partner_id } = sale
      yield* store.saveApplication(eraseSeller(sale, cpf))
      yield* recordChange({
        events: [applicationUpdated(sale, at)],
        at,
        caller: null,
        action: "privacy.erase",
        subject_id: application_id,
        partner_id
      })
      erased.push(application_id)
    } else {
      kept.push({
        reason: "SOLD_CONTRACT",
        id: sale.application_id,
        until: verdict._tag === "KEEP" ? verdict.until : keptUntil(sale, retentionYears)
      })
    }
  }
  return { erased, kept }
})

/**
 * Erases the personal data of the person with this CPF, in all trees of the installation, except data that must be
 * kept. Returns the erased and the kept records, with reasons. Fails with ErasureTooEarly, and changes nothing, while a
 * contract or a refund of the person is in progress. Each erased record gets an audit entry `privacy.erase`. A repeated
 * call erases the records that can be erased by then. For the operator only.
 *
 * Source: LGPD (Lei 13.709/2018), art. 12, art. 16 and art. 18, IV and VI.
 */
export const erasePerson = Effect.fn("erasePerson")(function*(
  cpf: Cpf,
  { retention_years = defaultRetentionYears }: ErasureOptions = {}
) {
  const store = yield* PersonalDataStore
  const erase = Effect.gen(function*() {
    const records = yield* store.findForUpdate(cpf)
    const at = yield* currentTimestamp
    const { due, kept, unfinished } = judgeAll(records.applications, at, retention_years)
    if (unfinished.length > 0) return yield* new ErasureTooEarly({ applications: unfinished })
    const cancelled: Array<ApplicationId> = []
    for (const { application, isCancelledFirst } of due) {
      if (isCancelledFirst) cancelled.push(application.application_id)
      const ended = isCancelledFirst ? yield* cancelBeforeErasure(application, "CUSTOMER_REQUEST", at) : application
      yield* eraseOne(ended, cpf, "privacy.erase", at)
    }
    const erased = new Set(due.map(({ application }) => application.application_id))
    const accounts = keptAccounts(records, cpf)
    const sales = yield* eraseSales(
      records.sales.filter(({ application_id }) => !erased.has(application_id)),
      // An existing user or partner still identifies the person, so the sales are kept, too.
      accounts.some(({ reason }) => reason !== "PIX_KEY_IN_USE"),
      cpf,
      at,
      retention_years
    )
    const deleted = { users: records.users.filter(isDeleted), partners: records.partners.filter(isDeleted) }
    yield* eraseAccounts(deleted, at, "privacy.erase")
    const answer: Erasure = {
      cancelled,
      applications: [...erased],
      users: deleted.users.map(({ user }) => user.user_id),
      partners: deleted.partners.map(({ partner }) => partner.partner_id),
      sales: sales.erased,
      kept: [...kept, ...accounts, ...sales.kept]
    }
    return answer
  })
  const answer = yield* (yield* UnitOfWork).atomically(erase)
  yield* endWaits(answer.applications)
  return answer
})
