import { Schema } from "effect"

/** Maximum number of nodes that the message names. */
const maxNamed = 5

/**
 * A contracting migration is pending while nodes of an older version run that would fail after it. Nothing was changed.
 * The message is one sentence with the remedy.
 */
export class OlderNodesRunning extends Schema.TaggedError<OlderNodesRunning>()("OlderNodesRunning", {
  /** The id and name of the last pending migration that these nodes do not support. */
  migration: Schema.String,
  /** Labels of the nodes seen in the last 10 s. */
  nodes: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const others = this.nodes.length - maxNamed
    const nodes = [...this.nodes.slice(0, maxNamed), ...others > 0 ? [`and ${others} more`] : []].join(", ")
    return `The migration ${this.migration} would break the running nodes of an older version (${nodes}): stop them and ` +
      "repeat this command after 10 s, or run lastro migrate --stop-the-world."
  }
}

/**
 * A migration could not lock a table that long transactions use. The earlier migrations stay applied. The message is
 * one sentence with the remedy.
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

/**
 * The schema was migrated by a newer version that does not list this version as compatible. The message is one sentence
 * with the remedy.
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
  /** The lowest program version that works on the schema. Null if it is not recorded. */
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

/**
 * The schema cannot be migrated or used until the database or the settings are changed. The message is one sentence
 * with the remedy.
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
