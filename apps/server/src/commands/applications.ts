import { type ApplicationInspection, ApplicationUnreadable, inspectApplication } from "@lastro/adapters-sql"
import { type ApplicationDetail, listApplicationsBelow, showApplication } from "@lastro/domain/operator"
import { Cause, Console, Effect, Exit } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { listCommand } from "./listing.ts"
import { json } from "./records.ts"
import { mapRefusals, reportFinding } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const textOf = (
  { application_id, customer, external_id, history, jobs, kyc, metadata, next_action, partner_id, proposal, status }:
    ApplicationDetail
): string => {
  const lines = [
    `application  ${application_id}`,
    `partner      ${partner_id}`,
    `external id  ${external_id}`,
    `status       ${status}`,
    `next action  ${next_action}`,
    "",
    "history",
    ...history.map(({ at, detail, event }) => `  ${at}  ${event}${detail === null ? "" : `  ${detail}`}`),
    "",
    jobs.length === 0 ? "no jobs" : "jobs",
    ...jobs.map(({ attempt, due_at, failures, id, kind, last_error, state }) =>
      `  ${kind}/${id}  ${state}  next run ${due_at}  attempt ${attempt}  failures ${failures}  ${last_error ?? "-"}`
    ),
    ...Object.entries({ proposal, customer, kyc, metadata }).map(([name, value]) =>
      `\n${name}  ${value === null ? "none" : JSON.stringify(value, null, 2)}`
    )
  ]
  return lines.join("\n")
}

/** Formats the readable columns of an application whose facts cannot be read. */
const columnsOf = ({ application_id, external_id, partner_id, quotes, stage }: ApplicationInspection): string =>
  [
    `application  ${application_id}`,
    `partner      ${partner_id}`,
    `external id  ${external_id}`,
    `stage        ${stage}`,
    "",
    quotes.length === 0 ? "no quotes" : "quotes",
    ...quotes.map(({ number, outcome, quote_id }) => `  quote ${number}, ${quote_id}  ${outcome}`)
  ].join("\n")

const show = Command.make("show", {
  id: Argument.String("id").pipe(Argument.withDescription("Id of the application")),
  json,
  personal: Flag.Boolean("personal-data").pipe(
    Flag.withDescription("Print personal data in full. Leaves an audit entry"),
    Flag.withDefault(false)
  )
}, ({ id, json, personal }) =>
  Effect.gen(function*() {
    const exit = yield* Effect.exit(
      mapRefusals({ NotFound: "No application has this id." })(showApplication(id, { personal_data: personal }))
    )
    // The use case dies if the facts cannot be read. The columns can still be shown.
    if (Exit.isFailure(exit) && !Cause.hasDies(exit.cause)) return yield* exit
    const inspection = yield* inspectApplication(id)
    if (inspection === null || inspection.problems.length === 0) {
      const detail = yield* exit
      return yield* Console.log(json ? JSON.stringify(detail, null, 2) : textOf(detail))
    }
    const shown = Exit.isSuccess(exit) ? exit.value : inspection
    const text = Exit.isSuccess(exit) ? textOf(exit.value) : columnsOf(inspection)
    yield* Console.log(
      json
        ? JSON.stringify({ ...shown, problems: inspection.problems }, null, 2)
        : [text, "", "problems", ...inspection.problems.map((problem) => `  ${problem}`)].join("\n")
    )
    return yield* reportFinding(
      inspection.is_readable
        ? `The stored data of application ${id} is broken. Run lastro check --repair to rebuild the data that is derived from its facts.`
        : new ApplicationUnreadable(inspection.application_id).message
    )
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "Show the history of an application: its facts in the order of their times, its jobs and its proposal. Personal data is masked as in " +
        "the audit, unless --personal-data is set, which leaves an audit entry. If stored facts are broken, shows what can be read, names each problem, " +
        "and exits with 1."
    ),
    Command.withShortDescription("Show the history of an application"),
    Command.withExamples([{
      command: "lastro applications show 0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051",
      description: "Show why an application makes no progress"
    }])
  )

const list = listCommand("applications", listApplicationsBelow, {
  application_id: ({ application_id }) => application_id,
  partner_id: ({ partner_id }) => partner_id,
  external_id: ({ external_id }) => external_id,
  status: ({ status }) => status,
  next_action: ({ next_action }) => next_action,
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at
})

export const applications = Command.make("applications").pipe(
  Command.withDescription("List applications, and show their history"),
  Command.withSubcommands([list, show])
)
