import { Schema } from "effect"

/**
 * The schema cannot be migrated or used: the database or the settings must be changed first. The message is one
 * sentence and states the remedy.
 */
export class SchemaUnusable extends Schema.TaggedError<SchemaUnusable>()("SchemaUnusable", {
  /** The problem, with the names of the role, the schema and the database. */
  problem: Schema.String,
  /** The remedy: the SQL to run, or the setting to change. */
  remedy: Schema.String
}) {
  override get message(): string {
    return `${this.problem}: ${this.remedy}.`
  }
}
