// Two servers in their usual form: NestJS with Prisma, and `HttpApi` of Effect with `@effect/sql-pg`. They verify the
// token of each request, read records one after another, and log nothing.
import { canonicalJson } from "@lastro/domain/input"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { cp, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { type Ask, requestOf } from "../../harness/load.ts"
import { type Served } from "../../harness/processes.ts"

/** The packages of NestJS and Prisma. They are large, so only the benchmark installs them. */
const dependencies = {
  "@nestjs/common": "12.5.1",
  "@nestjs/core": "12.5.1",
  "@nestjs/platform-express": "12.5.1",
  "@prisma/adapter-pg": "7.10.1",
  "@prisma/client": "7.10.0",
  prisma: "7.10.0",
  "reflect-metadata": "0.2.2",
  rxjs: "7.8.2"
}

const root = join(import.meta.dirname, "../../../..")
const folder = join(root, "node_modules/.cache/lastro/bench-nest")

/**
 * The client does not need Prisma's engine, but the generator downloads the engine unless this variable names a file.
 */
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }

const run = (program: string, ...args: ReadonlyArray<string>) =>
  Effect.tryPromise(() => promisify(execFile)(program, args, { cwd: folder, env }))

/**
 * Installs NestJS and Prisma in a separate folder, generates Prisma's client, and bundles the server. Returns the
 * program.
 */
export const buildNest = Effect.gen(function*() {
  yield* Effect.promise(() => mkdir(folder, { recursive: true }))
  const manifest = JSON.stringify({ private: true, type: "module", dependencies })
  yield* Effect.promise(() => writeFile(join(folder, "package.json"), manifest))
  // Scripts of packages are disabled: those of Prisma would download programs that its driver adapter does not need.
  yield* run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
  const source = join(import.meta.dirname, "nest")
  yield* Effect.promise(() => cp(join(source, "schema.prisma"), join(folder, "schema.prisma")))
  yield* run(process.execPath, "node_modules/.bin/prisma", "generate", "--schema", "schema.prisma")
  yield* run(
    process.execPath,
    join(root, "node_modules/esbuild/bin/esbuild"),
    join(source, "main.ts"),
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--outfile=main.mjs",
    `--alias:prisma-generated=${join(folder, "generated/client.ts")}`,
    ...["@nestjs/*", "@prisma/*", "reflect-metadata", "rxjs"].map((name) => `--external:${name}`),
    "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    `--tsconfig-raw=${JSON.stringify({ compilerOptions: { experimentalDecorators: true, target: "es2023" } })}`
  )
  return join(folder, "main.mjs")
})

const bodyOf = ({ url }: Served, ask: Ask) =>
  Effect.promise(async () => {
    const { path, ...request } = requestOf(ask)
    const answer = await fetch(url + path, request)
    return `${answer.status} ${canonicalJson(await answer.json())}`
  })

/** Dies if a server does not answer a request with the same status and JSON value as Lastro. */
export const compareBody = Effect.fnUntraced(function*(lastro: Served, usual: Served, ask: Ask) {
  const [expected, found] = [yield* bodyOf(lastro, ask), yield* bodyOf(usual, ask)]
  if (expected !== found) {
    return yield* Effect.die(new Error(`${usual.name}, ${ask.path} differs:\n${expected}\n\n${found}`))
  }
})
