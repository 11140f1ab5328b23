import { enableCompileCache } from "node:module"
import { join } from "node:path"

// About a fifth of a start's processor time is compiling. What was compiled is kept when the process ends, where the checkout
// can be written to.
enableCompileCache(join(import.meta.dirname, "../../../node_modules/.cache/lastro/compiled"))

// What is imported statically is compiled before anything runs.
const { run } = await import("./run.ts")
run()
