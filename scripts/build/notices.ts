import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { type InstalledPackage } from "./packageFolders.ts"

const licenceFile = /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i

/** Returns the licence texts of packages. The licences require distributing these texts with the packages. */
export const notices = async (packages: ReadonlyArray<InstalledPackage>): Promise<string> => {
  const sections = await Promise.all(packages.map(async ({ folder, name, version }) => {
    const files = (await readdir(folder)).filter((file) => licenceFile.test(file)).toSorted()
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))
    const { license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      readonly license?: string
    }
    return [`${name} ${version} (${license ?? "see below"})`, ...texts.map((text) => text.trim())].join("\n\n")
  }))
  return `${sections.join(`\n\n${"-".repeat(80)}\n\n`)}\n`
}
