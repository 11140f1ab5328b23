import { Schema } from "effect"

/** Another partner under the same root has this document. */
export class DocumentTaken extends Schema.TaggedError<DocumentTaken>()("DocumentTaken", {}) {}

/** The partner still has children, users or unfinished applications. */
export class PartnerHasDependents extends Schema.TaggedError<PartnerHasDependents>()("PartnerHasDependents", {
  children: Schema.Int,
  users: Schema.Int,
  applications: Schema.Int
}) {}
