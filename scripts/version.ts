// Completes `changeset version`. Writes the new version into the source and the examples. Removes the lines about
// dependencies from the server's changelog, because the server contains these dependencies.
import { glob, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readJson, root } from "./execute.ts"

const replaceIn = async (file: string, pattern: RegExp, replacement: string): Promise<void> => {
  const path = join(root, file)
  await writeFile(path, (await readFile(path, "utf8")).replace(pattern, replacement))
}

const { version } = await readJson<{ readonly version: string }>("packages/domain/package.json")
await replaceIn("packages/adapters-http/src/version/version.ts", /(?<=version = ")[^"]*/, version)
for await (const file of glob("examples/*/package.json", { cwd: root })) {
  await replaceIn(file, /(?<="@lastro\/[^"]+": "\^)[^"]*/g, version)
}
await replaceIn(
  "apps/server/CHANGELOG.md",
  /(?:### Patch Changes\n\n)?(?:- Updated dependencies.*\n(?: {2}- .*\n)*)+\n?/g,
  ""
)
// The package `seed` is private and only a part of the server, so it needs no changelog.
await rm(join(root, "packages/seed/CHANGELOG.md"), { force: true })
