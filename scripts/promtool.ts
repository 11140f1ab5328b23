/**
 * Verifies the alert rules, and the metrics of a running server, with `promtool` of Prometheus (Debian package
 * `prometheus`).
 *
 * node scripts/promtool.ts [http://127.0.0.1:9464/metrics]
 *
 * PROMTOOL is the path of the program. Default: `promtool`.
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../deploy/observability", import.meta.url))
const program = process.env["PROMTOOL"] ?? "promtool"

const run = (args: ReadonlyArray<string>, input = ""): void => {
  const { error, status } = spawnSync(program, args, { cwd: folder, input, stdio: ["pipe", "inherit", "inherit"] })
  if (error !== undefined) {
    process.stderr.write(`${program} does not run: ${error.message}. Install it or set PROMTOOL.\n`)
  }
  if (status !== 0) process.exit(1)
}

run(["check", "config", "prometheus.yml"])
run(["test", "rules", "alerts.test.yml"])

const [, , url] = process.argv
if (url !== undefined) {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answers with ${response.status}`)
  const text = await response.text()
  run(["check", "metrics"], text)
  process.stdout.write(`${text.match(/^# TYPE/gm)?.length ?? 0} metrics of ${url} are valid\n`)
}
