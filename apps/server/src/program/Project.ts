import { join } from "node:path"

/** A project that is bundled into one file. */
export interface Project {
  /** The root folder. All other paths are relative to it. */
  readonly root: string
  /** The module to bundle. */
  readonly entry: string
  /** Files that change the bundle although it does not contain them, such as the lockfile. */
  readonly others: ReadonlyArray<string>
  /** The folder of the bundled programs. */
  readonly programs: string
}

/**
 * The server as a project. Its dependencies are not listed one by one: pnpm's copy of the lockfile changes whenever one
 * of them changes.
 */
export const serverProject: Project = {
  root: join(import.meta.dirname, "../../../.."),
  entry: "apps/server/src/run.ts",
  others: [
    "apps/server/src/program/bundle.ts",
    "apps/server/src/program/bundleProgram.ts",
    "node_modules/.pnpm/lock.yaml",
    ...["adapters-http", "adapters-sql", "domain", "seed"].map((name) => `packages/${name}/package.json`)
  ],
  programs: "node_modules/.cache/lastro/programs"
}
