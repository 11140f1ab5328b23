import { Effect } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { root, running } from "../running/lastro.ts"
import { emptyFolder, freePort } from "../running/machine.ts"

/** The proxies of docs/proxies.md. */
export type Proxy = "haproxy" | "nginx"

/** Returns the configuration in docs/proxies.md, with the addresses of this machine. */
const configuration = async (proxy: Proxy, port: number, nodes: readonly [number, number]): Promise<string> => {
  const page = await readFile(join(root, "docs/proxies.md"), "utf8")
  const block = new RegExp(`^\`\`\`${proxy}\\n([^]*?)^\`\`\`$`, "m").exec(page)?.[1]
  if (block === undefined) throw new Error(`docs/proxies.md has no block for ${proxy}`)
  return block
    .replace("10.0.0.11:3000", `127.0.0.1:${nodes[0]}`)
    .replace("10.0.0.12:3000", `127.0.0.1:${nodes[1]}`)
    .replace(/(bind|listen) :?8080/, `$1 127.0.0.1:${port}`)
}

/** Starts a proxy with its configuration in docs/proxies.md, and returns its origin. */
export const startProxy = Effect.fnUntraced(function*(proxy: Proxy, nodes: readonly [number, number]) {
  const port = yield* freePort
  const folder = yield* emptyFolder
  const file = join(folder, `${proxy}.conf`)
  yield* Effect.promise(async () => writeFile(file, await configuration(proxy, port, nodes)))
  yield* proxy === "haproxy"
    ? running("/usr/sbin/haproxy", ["-db", "-f", file], {})
    : running("/usr/sbin/nginx", ["-c", file, "-p", folder, "-g", "daemon off; error_log stderr; pid nginx.pid;"], {})
  return `http://127.0.0.1:${port}`
})
