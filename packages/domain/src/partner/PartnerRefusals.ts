import { Data } from "effect"

/** Another partner under the same root has this document. */
export class DocumentTaken extends Data.TaggedError("DocumentTaken") {}

/** The partner still has children, users or unfinished applications. */
export class PartnerHasDependents extends Data.TaggedError("PartnerHasDependents")<{
  readonly children: number
  readonly users: number
  readonly applications: number
}> {}
