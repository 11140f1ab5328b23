// Bundles the server into one file. The server does the same at its start if the file is missing or out of date.
import { bundleProgram } from "./bundleProgram.ts"
import { serverProject } from "./Project.ts"

await bundleProgram(serverProject)
