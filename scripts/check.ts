// Runs every script of package.json whose name starts with "check:". Prints only the output of failed checks. Exits
// with 1 if a check fails. Checks the types first. After that, checks the packages, which takes longest, at the same
// time as the others.
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { delimiter, join } from "node:path"

const root = join(import.meta.dirname, "..")
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Record<string, string>
}
const env = { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter) }

const failed: Array<string> = []

const check = (name: string): Promise<void> => {
  const start = performance.now()
  const script = `check:${name}`
  return new Promise((resolve) => {
    execFile(
      "sh",
      ["-c", scripts[script] ?? "false"],
      { cwd: root, env, maxBuffer: 2 ** 28 },
      (error, stdout, stderr) => {
        const seconds = ((performance.now() - start) / 1000).toFixed(1)
        console.log(`${error === null ? "ok    " : "FAILED"} ${name.padEnd(10)} ${seconds.padStart(5)} s`)
        if (error !== null) {
          failed.push(`pnpm ${script}`)
          console.log(`${stdout}${stderr}`)
        }
        resolve()
      }
    )
  })
}

const checkInOrder = ([name, ...others]: ReadonlyArray<string>): Promise<void> =>
  name === undefined ? Promise.resolve() : check(name).then(() => checkInOrder(others))

const names = Object.keys(scripts).flatMap((name) => name.startsWith("check:") ? [name.slice("check:".length)] : [])
// Check the types first, because checking the packages deletes and rebuilds the files that `types` writes.
await check("types")
await Promise.all([check("packages"), checkInOrder(names.filter((name) => name !== "types" && name !== "packages"))])
console.log(failed.length === 0 ? "Every check passed." : `Failed: ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
