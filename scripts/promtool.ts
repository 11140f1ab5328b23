// Verifies the alert rules, and the metrics of a running server, with Prometheus's `promtool` (Debian package
// `prometheus`): node scripts/promtool.ts [http://127.0.0.1:9464/metrics]. PROMTOOL is the path of the program.
// Default: `promtool`.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "./execute.ts"

const program = process.env["PROMTOOL"] ?? "promtool"

const run = (args: ReadonlyArray<string>, input = ""): void => {
  const cwd = join(root, "deploy", "observability")
  const { error, status } = spawnSync(program, args, { cwd, input, stdio: ["pipe", "inherit", "inherit"] })
  if (error !== undefined) console.error(`${program} does not run: ${error.message}. Install it or set PROMTOOL.`)
  if (status !== 0) process.exit(1)
}

run(["check", "config", "prometheus.yml"])
run(["test", "rules", "alerts.test.yml"])
const [, , url] = process.argv
if (url !== undefined) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answers with ${response.status}`)
  run(["check", "metrics"], await response.text())
}
