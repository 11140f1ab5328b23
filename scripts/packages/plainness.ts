import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { execute, Failure, root } from "./execute.ts"

interface Override {
  readonly files: ReadonlyArray<string>
  readonly rules: Readonly<Record<string, unknown>>
}

/**
 * Holds what is written for readers to the rules that lint holds `examples` to: no type assertion, no deep import, nothing
 * private.
 */
export const lintAsExamples = async (directory: string): Promise<void> => {
  const { overrides } = JSON.parse(await readFile(join(root, ".oxlintrc.json"), "utf8")) as {
    readonly overrides: ReadonlyArray<Override>
  }
  const rules = overrides.find(({ files }) => files.includes("examples/**"))?.rules
  if (rules === undefined) throw new Failure("lint has no rules for examples")
  const config = join(directory, ".oxlintrc.json")
  await writeFile(
    config,
    JSON.stringify({
      plugins: ["typescript"],
      categories: { correctness: "off" },
      ignorePatterns: ["**/node_modules"],
      rules
    })
  )
  const { ok, output } = await execute({ cwd: directory }, "oxlint", "--config", config, "--format", "unix", ".")
  if (!ok) throw new Failure(`The programs of the READMEs do not keep to the rules of examples:\n${output}`)
}
