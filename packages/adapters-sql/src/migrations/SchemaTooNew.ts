import { Schema } from "effect"

/**
 * The schema was migrated by a newer version, and this version is not recorded as compatible with it. The message is
 * one sentence and states the remedy.
 */
export class SchemaTooNew extends Schema.TaggedError<SchemaTooNew>()("SchemaTooNew", {
  /** The name of the schema, quoted for SQL. */
  schema: Schema.String,
  /** The name of the database, quoted for SQL. */
  database: Schema.String,
  /** The schema version of the database: the id of the last migration that ran. */
  schemaVersion: Schema.Int,
  /** The schema version of this program: the id of its last migration. */
  programVersion: Schema.Int,
  /** The schema version that a program needs at least to work on the schema. Null if it is not recorded. */
  lowestProgram: Schema.NullOr(Schema.Int)
}) {
  override get message(): string {
    const needed = this.lowestProgram === null
      ? "use the version of Lastro that migrated it"
      : `use a version of Lastro with the schema version ${this.lowestProgram} or newer`
    return `The schema ${this.schema} of the database ${this.database} has the version ${this.schemaVersion}, which this program ` +
      `with the schema version ${this.programVersion} does not support: ${needed}.`
  }
}
