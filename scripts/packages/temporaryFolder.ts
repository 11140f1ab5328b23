import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "./execute.ts"

/** Creates a folder outside the repository, passes it to `use`, and removes it afterwards. */
export const withTemporaryFolder = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-packages-"))
  try {
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Writes the package.json of a project that depends on the packages. */
export const writeManifest = (
  directory: string,
  name: string,
  dependencies: Readonly<Record<string, string>>
): Promise<void> =>
  writeFile(join(directory, "package.json"), JSON.stringify({ name, private: true, type: "module", dependencies }))

/** Installs all projects below a folder in one pnpm workspace, with the versions in `overrides`. */
export const install = async (directory: string, overrides: Readonly<Record<string, string>>): Promise<void> => {
  const settings = { packages: ["*", "*/*"], overrides, verifyDepsBeforeRun: false }
  await writeFile(join(directory, "pnpm-workspace.yaml"), JSON.stringify(settings))
  await writeFile(join(directory, "package.json"), JSON.stringify({ name: "workspace", private: true }))
  await run({ cwd: directory }, "pnpm", "install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile")
}
