// Enables the compile cache, then starts the server. It is JavaScript because Node.js takes 0.1 s to load the code that
// removes the types of a file. The cache keeps the other files without their types.
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// The folder is that of `startProgram`.
const folder = process.argv[2] === "serve" ? "compiled-serve" : "compiled"
enableCompileCache(fileURLToPath(new URL(`../../../node_modules/.cache/lastro/${folder}`, import.meta.url)))
await import("./main.ts")
