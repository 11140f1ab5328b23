import { layerStartOnly } from "@lastro/adapters-sql"
import { type StoredJob } from "@lastro/domain/jobs"
import { cancelJob, type JobDetail, listJobs, retryJob, showJob } from "@lastro/domain/operator"
import { currentTimestamp, millisOf, type Timestamp } from "@lastro/domain/values"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { confirmChange, yes } from "./OperatorTerminal.ts"
import { json, printList, printRecord } from "./records.ts"
import { mapRefusals, refuse } from "./refused.ts"
import { withPorts } from "./withPorts.ts"

const job = Argument.String("job").pipe(
  Argument.withDescription("Name of the job, as shown by lastro work list, such as quote/…, contract/… or quote:CODE/…")
)

const nameOf = ({ id, kind }: StoredJob): string => `${kind}/${id}`

const units = [["d", 86_400], ["h", 3_600], ["min", 60], ["s", 1]] as const

/** Formats a duration in milliseconds in its largest unit: `3 d`, `5 h`, `12 min` or `40 s`. */
const formatDuration = (ms: number): string => {
  const seconds = Math.max(Math.floor(ms / 1_000), 0)
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["s", 1]
  return `${Math.floor(seconds / size)} ${unit}`
}

const ageOf = ({ created_at }: StoredJob, at: Timestamp): string => formatDuration(millisOf(at) - millisOf(created_at))

const jobJson = (stored: StoredJob, at: Timestamp) => ({
  job: nameOf(stored),
  state: stored.state,
  age_seconds: Math.max(Math.round((millisOf(at) - millisOf(stored.created_at)) / 1_000), 0),
  created_at: stored.created_at,
  due_at: stored.due_at,
  attempt: stored.attempt,
  failures: stored.failures,
  last_error: stored.last_error
})

const missingLine = "No stored job has this name. A job that has ended is not stored: see lastro work list."

const refuseMissing = mapRefusals({ NotFound: missingLine })

/** Refuses a job that is missing, or whose kind only a newer version runs. */
const refuseNotRun = mapRefusals({
  NotFound: `${missingLine} Only a version that runs jobs of this kind can retry or cancel one.`
})

const limit = Flag.Int("limit").pipe(
  Flag.withDescription("Maximum number of jobs, from 1 to 100000. Default: 1000"),
  Flag.withDefault(1_000),
  Flag.filter((value) => value >= 1 && value <= 100_000, () => "from 1 to 100000")
)

const list = Command.make("list", { json, limit }, ({ json, limit }) =>
  Effect.gen(function*() {
    const jobs = yield* listJobs(limit)
    const at = yield* currentTimestamp
    if (json) return yield* Console.log(JSON.stringify(jobs.map((stored) => jobJson(stored, at)), null, 2))
    yield* printList(false, jobs, {
      empty: "There are no durable jobs.",
      columns: {
        job: nameOf,
        state: ({ state }) => state,
        age: (stored) => ageOf(stored, at),
        due_at: ({ due_at }) => due_at,
        attempt: ({ attempt }) => attempt,
        failures: ({ failures }) => failures,
        last_error: ({ last_error }) => last_error
      }
    })
  }).pipe(withPorts)).pipe(
    Command.withDescription(
      "List the durable jobs, the longest due first, one per line, as tab-separated columns with a header: name, state (RUNNING, DUE or " +
        "WAITING), age, time of the next run, number of the next call to the lender (0 while the lender works), failed runs in a row, and the " +
        "last error. Contains no personal data."
    ),
    Command.withShortDescription("List the durable jobs"),
    Command.withExamples([{ command: "lastro work list --json", description: "List the jobs as JSON" }])
  )

const detailLines = (detail: JobDetail, at: Timestamp): ReadonlyArray<string> => [
  `job          ${nameOf(detail)}`,
  `state        ${detail.state}`,
  `age          ${ageOf(detail, at)}, since ${detail.created_at}`,
  `next run     ${detail.due_at}`,
  `attempt      ${detail.attempt}`,
  `failures     ${detail.failures}`,
  `last error   ${detail.last_error ?? "-"}`,
  `application  ${
    detail.application === null ? "-" : `${detail.application.application_id}, ${detail.application.status}`
  }`,
  `partner      ${detail.application?.partner_id ?? "-"}`
]

const show = Command.make("show", { job, json }, ({ job, json }) =>
  Effect.gen(function*() {
    const detail = yield* refuseMissing(showJob(job))
    const at = yield* currentTimestamp
    yield* Console.log(
      json
        ? JSON.stringify({ ...jobJson(detail, at), application: detail.application }, null, 2)
        : detailLines(detail, at).join("\n")
    )
  }).pipe(withPorts)).pipe(
    Command.withDescription("Show a durable job and the application that it works for. Contains no personal data."),
    Command.withShortDescription("Show a durable job"),
    Command.withExamples([{
      command: "lastro work show quote/0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051",
      description: "Show the job of a quote"
    }])
  )

const retry = Command.make("retry", { job, json }, ({ job, json }) =>
  Effect.gen(function*() {
    const { state } = yield* refuseNotRun(retryJob(job))
    yield* printRecord(
      json,
      { job, state },
      state === "RUNNING" ? `${job} runs once more after its present run.` : `${job} is due now.`
    )
  }).pipe(Effect.provide(layerStartOnly), withPorts)).pipe(
    Command.withDescription(
      "Run a durable job now instead of at the time of its next run. It keeps its progress. A serving node runs it within a second. " +
        "Leaves an audit entry."
    ),
    Command.withShortDescription("Run a durable job now"),
    Command.withExamples([{
      command: "lastro work retry contract/0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051",
      description: "Repeat a call to the lender at once"
    }])
  )

const notCancellable = {
  LENDER_MAY_HAVE_CONTRACT:
    "The lender may have the contract, so its job cannot be cancelled. Cancel the application instead " +
    "(POST /api/v1/fgts/applications/{id}/cancel).",
  ENDED: "The contract is paid, refunding or ended. Its job ends by itself.",
  QUOTE_PENDING: "The quote waits for its lenders. Cancel their jobs instead (lastro work list)."
}

const cancel = Command.make("cancel", { job, json, yes }, ({ job, json, yes }) =>
  Effect.gen(function*() {
    yield* refuseMissing(showJob(job))
    yield* confirmChange(yes, `Cancel ${job}?`)
    const application = yield* refuseNotRun(
      Effect.catchTag(cancelJob(job), "JobNotCancellable", ({ reason }) => refuse(notCancellable[reason]))
    )
    const outcome = application === null
      ? "No application needed it."
      : `Application ${application.application_id} was updated.`
    yield* printRecord(
      json,
      { job, application_id: application?.application_id ?? null },
      `${job} is cancelled. ${outcome}`
    )
  }).pipe(Effect.provide(layerStartOnly), withPorts)).pipe(
    Command.withDescription(
      "Cancel a durable job. The quote of a quote job becomes FAILED, and can be requested again. The job of a contract can be cancelled only " +
        "while the lender has nothing: the proposal becomes CANCELLED. Otherwise, cancel the application instead. Leaves an audit entry."
    ),
    Command.withShortDescription("Cancel a durable job"),
    Command.withExamples([{
      command: "lastro work cancel quote/0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051",
      description: "Give up a quote that the lender does not answer"
    }])
  )

export const work = Command.make("work").pipe(
  Command.withDescription("List, show, retry and cancel the durable jobs: quotes and contracts in progress"),
  Command.withSubcommands([list, show, retry, cancel])
)
