/**
 * Marks the id of a process that only starts jobs, so that the process does not count as a node that runs them. The marked id is
 * a UUID of version 8 (RFC 9562 §5.8). The ids of other nodes are UUIDs of version 4.
 */
export const starterId = (uuid: string): string => `${uuid.slice(0, 14)}8${uuid.slice(15)}`

/** The SQL condition that selects, from the list of nodes, the processes that run jobs. */
export const runsJobs = "substr(node.id::text, 15, 1) <> '8'"
