import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "./execute.ts"

/** Runs with a folder outside of the repository, which is removed afterwards. */
export const outside = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-outside-"))
  try {
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Writes a package.json of somebody who uses these packages. */
export const writeManifest = (
  directory: string,
  name: string,
  dependencies: Readonly<Record<string, string>>
): Promise<void> =>
  writeFile(join(directory, "package.json"), JSON.stringify({ name, private: true, type: "module", dependencies }))

/** Installs all projects below a folder at once. Whatever depends on a package in `overrides` gets it as that says. */
export const install = async (directory: string, overrides: Readonly<Record<string, string>>): Promise<void> => {
  const settings = { packages: ["*", "*/*"], overrides, verifyDepsBeforeRun: false }
  await writeFile(join(directory, "pnpm-workspace.yaml"), JSON.stringify(settings))
  await writeFile(join(directory, "package.json"), JSON.stringify({ name: "outside", private: true }))
  await run({ cwd: directory }, "pnpm", "install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile")
}
