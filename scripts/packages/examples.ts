import { cp, glob, mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Failure, root, run } from "./execute.ts"

/** A copy of an example project outside the repository. */
export interface Example {
  readonly name: string
  readonly directory: string
}

const isSource = (path: string): boolean => !/[\\/](?:node_modules|dist)$/.test(path)

/** Copies the sources of all examples. */
export const copyExamples = async (to: string): Promise<ReadonlyArray<Example>> => {
  await mkdir(to, { recursive: true })
  const entries = await readdir(join(root, "examples"), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(names.map(async (name) => {
    const directory = join(to, name)
    await cp(join(root, "examples", name), directory, { recursive: true, filter: isSource })
    return { name, directory }
  }))
}

/** Returns whether a program in a folder reads `DATABASE_URL`. */
export const needsPostgres = async (directory: string): Promise<boolean> => {
  for await (const path of glob("**/*.ts", { cwd: directory, exclude: ["**/node_modules/**"] })) {
    if ((await readFile(join(directory, path), "utf8")).includes("DATABASE_URL")) return true
  }
  return false
}

/**
 * Runs the `check` script of an example with the example's own TypeScript. Then runs its `test` script or, if it has
 * none, its `start` script.
 */
export const runExample = async (
  { directory, name }: Example,
  env: Readonly<Record<string, string>>
): Promise<void> => {
  const { scripts } = JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const script = ["test", "start"].find((one) => scripts[one] !== undefined)
  if (script === undefined) throw new Failure(`examples/${name} has no test or start script`)
  if (scripts["check"] === undefined) throw new Failure(`examples/${name} has no check script`)
  await run({ cwd: directory, timeout: 120_000 }, "node", "--run", "check")
  await run({ cwd: directory, env, timeout: 180_000 }, "node", "--run", script)
}
