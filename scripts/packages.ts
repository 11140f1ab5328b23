// Checks the packages as their users get them: builds and packs each, has publint and attw read the tarballs, installs
// them with their peers from the registry in an empty directory, imports each with plain Node.js, and type-checks a use.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

const root = join(import.meta.dirname, "..")
const tarballs = join(root, ".tmp", "packages")
const folders = ["domain", "adapters-sql", "adapters-http", "testkit"]
const env = { ...process.env, PATH: [join(root, "node_modules", ".bin"), process.env["PATH"]].join(delimiter) }

interface Package {
  readonly name: string
  readonly version: string
  readonly peerDependencies?: Record<string, string>
}

class Failure extends Error {}

const execute = (cwd: string, command: string, args: ReadonlyArray<string>): Promise<{ ok: boolean; output: string }> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim() })
    })
  })

/** Runs a command; a failing one ends the check with what it prints. */
const run = async (cwd: string, command: string, ...args: ReadonlyArray<string>): Promise<void> => {
  const { ok, output } = await execute(cwd, command, args)
  if (!ok) throw new Failure(`${[command, ...args].join(" ")}\n${output}`)
}

/** Type-checks a use of the packages, their declarations included; those of other packages are not ours to correct. */
const typeCheck = async (directory: string): Promise<void> => {
  const { ok, output } = await execute(directory, "tsc", ["-p", ".", "--pretty", "false"])
  if (!ok && !output.includes("error TS")) throw new Failure(`tsc failed\n${output}`)
  const ours = output.split("\n").filter((line) => !line.startsWith(" ") && line !== "").filter((line) =>
    !line.startsWith("node_modules/") || line.includes("node_modules/@lastro/")
  )
  if (ours.length > 0) throw new Failure(`The declarations of the packages do not type-check:\n${ours.join("\n")}`)
}

const tarball = ({ name, version }: Package): string =>
  join(tarballs, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)

/** Builds all packages anew, so that no output of a deleted source is packed. */
const build = async (): Promise<void> => {
  await Promise.all(
    folders.map((folder) => rm(join(root, "packages", folder, "dist"), { recursive: true, force: true }))
  )
  await run(root, "tsc", "-b", ...folders.map((folder) => join("packages", folder)))
}

const pack = async (folder: string): Promise<Package> => {
  const directory = join(root, "packages", folder)
  await run(directory, "pnpm", "pack", "--pack-destination", tarballs)
  return JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as Package
}

const lint = async (found: Package): Promise<void> => {
  await run(root, "publint", "run", tarball(found), "--strict")
  await run(root, "attw", tarball(found), "--profile", "esm-only", "--format", "ascii", "--no-emoji", "--no-color")
}

/** Everything that a user of all packages writes down, and nothing that only this workspace knows. */
const consume = async (packages: ReadonlyArray<Package>): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), "lastro-consumer-"))
  try {
    const tarballOf = Object.fromEntries(packages.map((found) => [found.name, `file:${tarball(found)}`]))
    const dependencies = Object.assign(
      { "@types/node": "^24.0.0" },
      ...packages.map((found) => found.peerDependencies),
      tarballOf
    )
    const names = packages.map((found) => found.name)
    const write = (file: string, content: string): Promise<void> => writeFile(join(directory, file), content)
    await write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }))
    await write("pnpm-workspace.yaml", `overrides: ${JSON.stringify(tarballOf)}\n`)
    await write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: {
          lib: ["ES2024", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
          module: "NodeNext",
          noEmit: true,
          strict: true,
          target: "ES2024",
          types: ["node"]
        },
        files: ["consumer.ts"]
      })
    )
    await write(
      "consumer.ts",
      [
        ...names.map((name, index) => `import * as package${index} from "${name}"`),
        `export const exported: number = [${
          names.map((_, index) => `package${index}`).join(", ")
        }].flatMap(Object.keys).length`
      ].join("\n")
    )
    await write(
      "consumer.js",
      names.map((name) =>
        `if (Object.keys(await import("${name}")).length === 0) throw new Error("${name} exports nothing")`
      ).join("\n")
    )
    await run(directory, "pnpm", "install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile")
    await Promise.all([run(directory, "node", "consumer.js"), typeCheck(directory)])
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

try {
  await rm(tarballs, { recursive: true, force: true })
  await mkdir(tarballs, { recursive: true })
  await build()
  const packages = await Promise.all(folders.map(pack))
  await Promise.all(packages.map(lint))
  await consume(packages)
  for (const found of packages) console.log(`${found.name} ${found.version}`)
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
