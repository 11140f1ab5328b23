// Writes generated documents, so that changes are visible in reviews: `node scripts/generate.ts
// contracts|openapi|rules|states|surface|viewer`. With --check, fails if a document is out of date. `contracts PORT` prints
// the cases of a port's suite.
import { writeDocument } from "./execute.ts"

/** The documents that each command writes, by path. */
const commands: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  /** The case names of every contract suite. */
  contracts: async () => ({ "docs/contracts.md": (await import("./contractsPage.ts")).contractsPage() }),
  /** The OpenAPI documents of the API and of the lender protocol, and the client of the API. */
  openapi: async () => {
    const { openApi } = await import("../packages/adapters-http/src/api/openapi/openApi.ts")
    const { lenderOpenApi } = await import("../packages/adapters-http/src/lender/protocol/lenderOpenApi.ts")
    const { clientOperations, clientTypes } = await import("./clientSource.ts")
    const { postmanCollection } = await import("./postmanCollection.ts")
    const text = `${JSON.stringify(openApi(), null, 2)}\n`
    return {
      "packages/adapters-http/openapi.json": text,
      "packages/adapters-http/lender.openapi.json": `${JSON.stringify(lenderOpenApi(), null, 2)}\n`,
      "packages/client/lastro.postman_collection.json": `${
        JSON.stringify(postmanCollection(JSON.parse(text)), null, 2)
      }\n`,
      "packages/client/src/types.ts": clientTypes(JSON.parse(text)),
      "packages/client/src/Operations.ts": clientOperations(JSON.parse(text))
    }
  },
  /** The rules, the threats with their tests, and the outcomes of the sandbox. */
  rules: async () => (await import("./rules.ts")).rulePages(),
  /** The state table of the domain's tests. */
  states: async () => ({ "docs/states.md": (await import("./statesPage.ts")).statesPage() }),
  /** The exported names of each package. */
  surface: async () => (await import("./surface.ts")).surfaces(),
  /** The viewer of the API documentation, and its licences. */
  viewer: async () => {
    const { viewerLicences, viewerModule } = await import("./viewer.ts")
    return {
      "packages/adapters-http/src/docs/viewer.ts": await viewerModule(),
      "packages/adapters-http/viewer-licenses.txt": await viewerLicences()
    }
  }
}

const [, , command = "", port = "--"] = process.argv
if (command === "contracts" && !port.startsWith("--")) {
  console.log((await import("./contractsPage.ts")).contractSentences(port) || `No contract suite is for ${port}.`)
  process.exit()
}
const documents = await commands[command]?.()
if (documents === undefined) throw new Error(`Pass one of: ${Object.keys(commands).join(", ")}`)
await Promise.all(Object.entries(documents).map(([path, text]) => writeDocument(path, text, command)))
