// Counts the modules that an import of the domain and the testkit loads. Node.js needs about a millisecond of processor
// time per module. The bundles of the packages keep the number low.
import { registerHooks } from "node:module"

const loaded = {}
registerHooks({
  load: (url, context, next) => {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]
    if (name !== undefined) loaded[name] = (loaded[name] ?? 0) + 1
    return next(url, context)
  }
})

const limits = { "@lastro/domain": 30, "@lastro/testkit": 16, effect: 180 }

const check = (entry) => {
  for (const [name, limit] of Object.entries(limits)) {
    const count = loaded[name] ?? 0
    if (count > limit) throw new Error(`${entry} loads ${count} modules of ${name}; the maximum is ${limit}`)
  }
  const lazy = ["fast-check", "chai", "jose", "@lastro/adapters-http"].filter((name) => name in loaded)
  if (lazy.length > 0) throw new Error(`${entry} loads ${lazy.join(", ")}`)
}

await import("@lastro/testkit")
check("@lastro/testkit")
await import("@lastro/testkit/lender-server")
check("@lastro/testkit/lender-server")
try {
  await import("@lastro/testkit/http")
} catch (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error
}
check("@lastro/testkit/http")
