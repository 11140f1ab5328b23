import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { execute, Failure } from "./execute.ts"

/** Has the files of a folder type-checked as those of somebody who knows this workspace by its tarballs only. */
export const writeTsconfig = (directory: string): Promise<void> =>
  writeFile(
    join(directory, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        allowImportingTsExtensions: true,
        erasableSyntaxOnly: true,
        exactOptionalPropertyTypes: true,
        lib: ["ES2024", "ESNext.Disposable", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
        module: "NodeNext",
        noEmit: true,
        noUncheckedIndexedAccess: true,
        strict: true,
        target: "ES2024",
        types: ["node"],
        verbatimModuleSyntax: true
      },
      include: ["*.ts"]
    })
  )

/** Type-checks a folder, our declarations included; those of other packages are not ours to correct. */
export const typeCheck = async (directory: string): Promise<void> => {
  const { ok, output } = await execute({ cwd: directory }, "tsc", "-p", ".", "--pretty", "false")
  if (!ok && !output.includes("error TS")) throw new Failure(`tsc failed\n${output}`)
  const ours = output.split("\n").filter((line) => !line.startsWith(" ") && line !== "").filter((line) =>
    !/(?:^|\/)node_modules\//.test(line) || line.includes("node_modules/@lastro/")
  )
  if (ours.length > 0) throw new Failure(`What uses the packages does not type-check:\n${ours.join("\n")}`)
}
