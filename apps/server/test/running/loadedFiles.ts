/** The environment of a process that writes the URL of every module it loads to standard error, one on each line. */
export const reportLoadedFiles = {
  NODE_OPTIONS: `--import=data:text/javascript,${
    encodeURIComponent(`
      import { writeSync } from "node:fs"
      import { registerHooks } from "node:module"
      registerHooks({ load: (url, context, next) => (writeSync(2, url + "\\n"), next(url, context)) })
    `)
  }`
}

/** Returns the URLs of the files that a process with {@link reportLoadedFiles} has loaded so far. */
export const loadedFiles = (standardError: string): ReadonlyArray<string> =>
  standardError.split("\n").filter((line) => line.startsWith("file:"))

/** The environment of a server that loads its source files, as under `node --watch`. */
export const fromSources = { WATCH_REPORT_DEPENDENCIES: "1" }
