import { type AuditEntry } from "@lastro/domain/audit"
import { type ApplicationStage, placementOf } from "@lastro/domain/loan"
import { type ChangePosition, PersonalDataStore } from "@lastro/domain/privacy"
import { type Timestamp } from "@lastro/domain/values"
import { Effect, Layer, Ref } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { alter, withPartner } from "./MemoryState.ts"

/** Returns the values of a map that satisfy a predicate, in the order of their keys. */
const select = <K extends string, V>(map: ReadonlyMap<K, V>, isSelected: (value: V) => boolean): ReadonlyArray<V> =>
  Array.from(map).toSorted(([a], [b]) => a < b ? -1 : 1).map(([, value]) => value).filter(isSelected)

const without = <K, V>(map: ReadonlyMap<K, V>, isRemoved: (value: V, key: K) => boolean): ReadonlyMap<K, V> =>
  new Map(Array.from(map).filter(([key, value]) => !isRemoved(value, key)))

const isDue =
  (until: Timestamp) => (record: { readonly deleted_at: Timestamp | null; readonly erased_at?: Timestamp }) =>
    record.deleted_at !== null && record.deleted_at <= until && record.erased_at === undefined

/** The stages of an application without a contract. */
const unsoldStages: ReadonlySet<ApplicationStage> = new Set([
  "QUOTING",
  "REJECTED",
  "QUOTE_FAILED",
  "QUOTED",
  "CANCELLED"
])

const orderOf = (at: Timestamp, id: string): string => `${at} ${id}`

const positionOf = ({ application_id, updated_at }: ChangePosition): string => orderOf(updated_at, application_id)

/** In-memory `PersonalDataStore`. Units of work run one at a time, so no record is locked. */
export const layerPersonalDataStore = Layer.effect(
  PersonalDataStore,
  Effect.map(MemoryDatabase, ({ failedLogins, state, update }) =>
    PersonalDataStore.of({
      findForUpdate: (cpf) =>
        Effect.map(state, (now) => {
          const applications = select(now.applications, () => true).map((stored) => withPartner(now, stored))
          return {
            applications: applications.filter(({ customer }) => customer.cpf === cpf),
            users: select(now.users, ({ user }) => user.cpf === cpf).map(({ deleted_at, user }) => ({
              user,
              deleted_at
            })),
            partners: select(
              now.partners,
              ({ partner }) => partner.document_number === cpf || (partner.pix?.key as string | undefined) === cpf
            )
              .map(({ deleted_at, partner }) => ({ partner, deleted_at })),
            sales: applications.filter(({ proposal }) => {
              const { agent, partner } = proposal?.origin ?? {}
              return agent?.cpf === cpf || (partner?.document_number as string | undefined) === cpf
            })
          }
        }),
      findDeleted: (until, limit) =>
        Effect.map(state, ({ partners, users }) => ({
          users: select(users, isDue(until)).slice(0, limit).map(({ deleted_at, user }) => ({ user, deleted_at })),
          partners: select(partners, isDue(until)).slice(0, limit).map(({ deleted_at, partner }) => ({
            partner,
            deleted_at
          }))
        })),
      findUnsold: (until, after, limit) =>
        Effect.map(state, (now) => {
          const examined = select(now.applications, () => true).map((stored) => withPartner(now, stored))
            .filter(({ erased_at = null, updated_at }) => updated_at <= until && erased_at === null)
            .filter((application) => unsoldStages.has(placementOf(application).stage))
            .toSorted((a, b) => positionOf(a) < positionOf(b) ? -1 : 1)
            .filter((application) => after === null || positionOf(application) > positionOf(after))
          const applications = examined.slice(0, limit)
          const last = applications.at(-1)
          return {
            applications,
            next: last === undefined || examined.length < limit
              ? null
              : { updated_at: last.updated_at, application_id: last.application_id }
          }
        }),
      commissionsOf: (partner_ids) =>
        Effect.map(state, ({ entries, payouts }) => ({
          entries: entries.filter(({ partner_id }) => partner_ids.includes(partner_id)).toSorted((a, b) =>
            orderOf(a.occurred_at, a.entry_id) < orderOf(b.occurred_at, b.entry_id) ? -1 : 1
          ),
          payouts: payouts.filter(({ partner_id }) => partner_ids.includes(partner_id)).toSorted((a, b) =>
            orderOf(a.created_at, a.payout_id) < orderOf(b.created_at, b.payout_id) ? -1 : 1
          )
        })),
      auditOf: (record_ids) =>
        Effect.map(state, ({ audit }) => audit.filter(({ subject_id }) => record_ids.includes(subject_id))),
      saveApplication: (application) =>
        update((now) => {
          const facts = { ...application, partner_deleted_at: null }
          return alter(now, "applications", application.application_id, ({ kyc_at }) => ({
            application: facts,
            kyc_at: facts.kyc === null ? null : kyc_at
          }))
        }),
      saveUser: (user, erased_at) =>
        update((now) =>
          alter(now, "users", user.user_id, (stored) =>
            stored.deleted_at === null
              ? stored
              : { ...stored, user, password: "" as typeof stored.password, erased_at })
        ),
      savePartner: (partner, erased_at) =>
        update((now) =>
          alter(now, "partners", partner.partner_id, (stored) =>
            stored.deleted_at === null ? stored : { ...stored, partner, erased_at })
        ),
      saveAudit: (entries) =>
        update((now) => {
          const replacements = new Map<string, AuditEntry>(entries.map((entry) => [entry.id, entry]))
          return {
            ...now,
            audit: now.audit.map((entry) =>
              replacements.get(entry.id) ?? entry
            )
          }
        }),
      deleteTraces: ({ record_ids, references, usernames }) =>
        Effect.flatMap(Ref.get(failedLogins), (logins) =>
          update((now) => {
            const ofQuotes = Array.from(now.work.values()).filter(({ job }) =>
              job.kind !== "contract" && record_ids.includes(job.id)
            )
            return {
              ...now,
              erasedLogins: new Set([
                ...now.erasedLogins,
                ...logins.filter(({ username }) =>
                  usernames.includes(username)
                )
              ]),
              answers: without(now.answers, ({ record_id }) => record_ids.includes(record_id)),
              work: without(now.work, (stored) => ofQuotes.includes(stored)),
              callbacks: without(
                now.callbacks,
                (_, key) =>
                  record_ids.includes(key) || references.includes(key) ||
                  ofQuotes.some(({ progress }) => progress.callback_key === key)
              )
            }
          }))
    }))
)
