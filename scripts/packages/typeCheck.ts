import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { execute, Failure } from "./execute.ts"

/** Writes a strict tsconfig.json for the `.ts` files of a folder. */
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

/**
 * Type-checks a folder. With `declarations`, also checks the declarations of our packages, but ignores errors in those
 * of other packages. This takes most of the time, so do it only once for each set of versions.
 */
export const typeCheck = async (
  directory: string,
  { declarations }: { readonly declarations: boolean }
): Promise<void> => {
  const flags = declarations ? [] : ["--skipLibCheck"]
  const { ok, output } = await execute({ cwd: directory }, "tsc", "-p", ".", "--pretty", "false", ...flags)
  if (!ok && !output.includes("error TS")) throw new Failure(`tsc failed\n${output}`)
  const errors = output.split("\n").filter((line) => !line.startsWith(" ") && line !== "").filter((line) =>
    !/(?:^|\/)node_modules\//.test(line) || line.includes("node_modules/@lastro/")
  )
  if (errors.length > 0) throw new Failure(`The programs do not type-check against the packages:\n${errors.join("\n")}`)
}
