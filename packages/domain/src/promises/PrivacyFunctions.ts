import { Effect } from "effect"
import { decode } from "../input/decode.ts"
import { anonymiseDeleted } from "../privacy/AnonymiseDeleted.ts"
import { erasePerson, type ErasureOptions } from "../privacy/ErasePerson.ts"
import { eraseUnsold } from "../privacy/EraseUnsold.ts"
import { exportPerson } from "../privacy/ExportPerson.ts"
import { type ChangePosition } from "../privacy/PersonalDataStore.ts"
import { Cpf } from "../values/Cpf.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Run } from "./Run.ts"

/** The ports of the functions for a person's rights (LGPD): export, erasure and anonymisation. */
export type PortsOfPrivacy = Effect.Services<
  ReturnType<typeof anonymiseDeleted | typeof erasePerson | typeof eraseUnsold | typeof exportPerson>
>

const decodeCpf = decode(Cpf)
const readCpf = (cpf: string) => Effect.fromResult(decodeCpf(cpf, ["cpf"]))

export const privacyFunctions = (run: Run<PortsOfPrivacy>) => ({
  /** Returns all stored data about the person with this CPF, as a JSON value. Stores an audit entry for each record. */
  exportPerson: (cpf: string, options?: CallOptions) => run(() => Effect.flatMap(readCpf(cpf), exportPerson), options),
  /**
   * Erases the personal data of the person with this CPF, except data that must be kept. Returns the erased and the
   * kept records, with reasons. Fails with ErasureTooEarly while a contract or a refund of the person is in progress.
   */
  erasePerson: (cpf: string, erasure: ErasureOptions = {}, options?: CallOptions) =>
    run(() => Effect.flatMap(readCpf(cpf), (parsed) => erasePerson(parsed, erasure)), options),
  /**
   * Anonymises up to 100 users and 100 partners that were deleted at least `retention_ms` milliseconds ago. Default: 90
   * days. Returns the number of anonymised records. Call the function again until it returns 0.
   */
  anonymiseDeleted: (retention_ms?: number, options?: CallOptions) =>
    run(() => anonymiseDeleted(retention_ms), options),
  /**
   * Erases the personal data of up to 20 applications that were never paid. Only applications that have not changed for
   * `retention_ms` milliseconds are erased. Returns the number of erased applications and a position. Call the function
   * again with `next` until it is null.
   */
  eraseUnsold: (retention_ms: number, after?: ChangePosition | null, options?: CallOptions) =>
    run(() => eraseUnsold(retention_ms, after), options)
})

/** The functions for a person's rights (LGPD). They check no permissions, so never expose them to callers. */
export interface PrivacyFunctions extends ReturnType<typeof privacyFunctions> {}
