/**
 * Marks the id of a process that only starts jobs, so that it does not count as a node that runs them. Such an id is a UUID of version 8 (RFC 9562
 * §5.8). The ids of the other nodes have the version 4.
 */
export const starterId = (uuid: string): string => `${uuid.slice(0, 14)}8${uuid.slice(15)}`

/** The condition of an entry in the list of nodes that its process runs jobs, as SQL. */
export const runsJobs = "substr(node.id::text, 15, 1) <> '8'"
