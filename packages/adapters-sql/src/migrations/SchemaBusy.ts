import { Schema } from "effect"

/**
 * A migration could not lock a table, because long transactions are using it. The migrations before it have been
 * applied. The message is one sentence and states the remedy.
 */
export class SchemaBusy extends Schema.TaggedError<SchemaBusy>()("SchemaBusy", {
  /** The id and name of the migration. */
  migration: Schema.String,
  /** The name of the schema, quoted for SQL. */
  schema: Schema.String,
  database: Schema.String
}) {
  override get message(): string {
    return `The migration ${this.migration} cannot lock a table of the schema ${this.schema} of the database ${this.database}, ` +
      "because long transactions are using it: wait until they have ended, for example a backup, and repeat this command."
  }
}
