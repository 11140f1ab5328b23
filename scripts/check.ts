// Runs every script of package.json whose name starts with "check:", in order. Prints the output of failed checks only.
// Exits with 1 if a check fails.
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { delimiter, join } from "node:path"

const root = join(import.meta.dirname, "..")
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Record<string, string>
}
const env = { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter) }

const failed: Array<string> = []
for (const [script, command] of Object.entries(scripts).filter(([name]) => name.startsWith("check:"))) {
  const name = script.slice("check:".length)
  const start = performance.now()
  const { status, stderr, stdout } = spawnSync(command, {
    cwd: root,
    encoding: "utf8",
    env,
    maxBuffer: 2 ** 28,
    shell: true
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name.padEnd(10)} ${seconds.padStart(5)} s`)
  if (status !== 0) {
    failed.push(script)
    console.log(`${stdout}${stderr}`)
  }
}
console.log(
  failed.length === 0 ? "Every check passed." : `Failed: ${failed.map((script) => `pnpm ${script}`).join(", ")}`
)
process.exitCode = failed.length === 0 ? 0 : 1
