import { Schema } from "effect"

/** Maximum number of nodes that the message names. */
const maxNamed = 5

/**
 * A contracting migration is pending, but nodes of an older version are running that would fail after it. Nothing was
 * changed. The message is one sentence and states the remedy.
 */
export class OlderNodesRunning extends Schema.TaggedError<OlderNodesRunning>()("OlderNodesRunning", {
  /** The id and name of the last pending migration that these nodes do not support. */
  migration: Schema.String,
  /** The labels of the nodes that were seen in the last 10 seconds. */
  nodes: Schema.Array(Schema.String)
}) {
  override get message(): string {
    const others = this.nodes.length - maxNamed
    const nodes = [...this.nodes.slice(0, maxNamed), ...others > 0 ? [`and ${others} more`] : []].join(", ")
    return `The migration ${this.migration} would break the running nodes of an older version (${nodes}): stop them and ` +
      "repeat this command after 10 s, or run lastro migrate --stop-the-world."
  }
}
