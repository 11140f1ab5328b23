import { type RunningServer } from "../running/serving.ts"
import { type Node } from "./Fleet.ts"

/** The maximum number of different log entries that are listed. */
const mostListed = 10

const entryOf = (line: string): string | undefined => {
  if (!/"level":"(WARN|ERROR|FATAL)"/.test(line)) return undefined
  const { code, defect, level, message, reason, route, status } = JSON.parse(line) as Record<string, unknown>
  return [
    level,
    JSON.stringify(message),
    route,
    status,
    code,
    reason,
    typeof defect === "string" ? defect : JSON.stringify(defect)
  ]
    .filter((part) => part !== undefined).join(" ")
}

/** Returns 1 for an internal error, otherwise 0. */
const rankOf = (entry: string): number => entry.includes("responding 500") ? 1 : 0

/**
 * Marks the present end of the logs of all nodes. The returned function lists the later warnings and errors: internal
 * errors first, then the most frequent ones.
 */
export const markLogs = (nodes: ReadonlyArray<Node>): () => ReadonlyArray<string> => {
  const marks = new Map<RunningServer, number>(nodes.map(({ process }) => [process(), process().out().length]))
  return () => {
    const counts = new Map<string, number>()
    for (const server of new Set([...marks.keys(), ...nodes.map(({ process }) => process())])) {
      for (const line of server.out().slice(marks.get(server) ?? 0).trimEnd().split("\n")) {
        const entry = entryOf(line)
        if (entry !== undefined) counts.set(entry, (counts.get(entry) ?? 0) + 1)
      }
    }
    return Array.from(counts)
      .toSorted(([a, timesA], [b, timesB]) => rankOf(b) - rankOf(a) || timesB - timesA)
      .slice(0, mostListed)
      .map(([entry, times]) => `${times} × ${entry}`)
  }
}
