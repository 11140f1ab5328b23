// Runs every script of package.json whose name starts with "check:". Prints only the output of failed checks. Exits
// with 1 if a check fails. The types of the sources are checked first, because packing needs the compiled files. That
// also reports the diagnostics of Effect. Then the packages are checked, which takes longest, at the same time as the
// rest.
import { execute, readJson, runAll } from "./execute.ts"

const { scripts } = await readJson<{ readonly scripts: Readonly<Record<string, string>> }>("package.json")
const failed: Array<string> = []

const check = (name: string) => async (): Promise<void> => {
  const start = performance.now()
  const { ok, output } = await execute({ timeout: 3_600_000 }, "sh", "-c", scripts[name] ?? "false")
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${ok ? "ok    " : "FAILED"} ${name.slice("check:".length).padEnd(13)} ${seconds.padStart(5)} s`)
  if (ok) return
  failed.push(`pnpm ${name}`)
  console.log(output)
}

// `check:types` runs the checks of both kinds of types.
const alone = new Set(["check:types", "check:types:sources", "check:packages"])
const others = Object.keys(scripts).filter((name) => name.startsWith("check:") && !alone.has(name))
await check("check:types:sources")()
await Promise.all([check("check:packages")(), runAll(1, others.map(check))])
console.log(failed.length === 0 ? "Every check passed." : `Failed: ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
