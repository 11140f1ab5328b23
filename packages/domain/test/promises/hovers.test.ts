import { layerMemory } from "@lastro/testkit"
import { execFile, spawn } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { operations } from "../../src/operation/operations.ts"
import { openLastro } from "../../src/promises/openLastro.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
const compiler = join(root, "node_modules", "typescript", "bin", "tsc")

/** Starts the language server of TypeScript on a folder. */
const startServer = (folder: string) => {
  const server = spawn(process.execPath, [compiler, "--lsp", "--stdio"], { cwd: folder })
  const pending = new Map<unknown, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const receive = (message: {
    readonly id?: unknown
    readonly method?: string
    readonly result?: unknown
    readonly params?: { readonly items?: ReadonlyArray<unknown> }
  }) => {
    // The server requests its configuration. Answer with the default.
    if (message.method === undefined) pending.get(message.id)?.(message.result)
    else if (message.id !== undefined) send({ id: message.id, result: message.params?.items?.map(() => null) ?? null })
  }
  server.stdout.on("data", (data: Buffer) => {
    received = Buffer.concat([received, data])
    for (;;) {
      const start = received.indexOf("\r\n\r\n") + 4
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, start).toString())?.[1])
      if (start < 4 || received.length < start + length) return
      receive(JSON.parse(received.subarray(start, start + length).toString()))
      received = received.subarray(start + length)
    }
  })
  let last = 0
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      pending.set(++last, resolve)
      send({ id: last, method, params })
    })
  return { request, notify: (method: string, params: object) => send({ method, params }), stop: () => server.kill() }
}

describe("the declarations of Lastro in an editor", () => {
  let folder = ""
  let names: ReadonlyArray<string> = []
  const hovers = new Map<string, { readonly type: string; readonly comment: string }>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lastro-hovers-"))
    const outputs = ["--declaration", "--emitDeclarationOnly", "--outDir", join(folder, "types")]
    const single = ["--declarationMap", "false", "--composite", "false", "--incremental", "false", "--noCheck"]
    const project = ["-p", join(root, "packages", "domain"), "--tsBuildInfoFile", "null"]
    await promisify(execFile)(process.execPath, [compiler, ...project, ...outputs, ...single])
    await symlink(join(root, "packages", "domain", "node_modules"), join(folder, "node_modules"))

    await using lastro = await openLastro(layerMemory)
    names = Object.keys(lastro)
    const file = join(folder, "host.ts")
    const lines = ["import { type Lastro } from \"./types/promises/index.d.ts\"", "declare const lastro: Lastro"]
    const text = [...lines, ...names.map((name) => `lastro.${name}`)].join("\n")
    await writeFile(file, text)
    const compilerOptions = { strict: true, module: "nodenext", lib: ["ES2024", "ESNext.Disposable"], types: [] }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))

    const server = startServer(folder)
    const uri = pathToFileURL(file).href
    const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] } } }
    await server.request("initialize", { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities })
    server.notify("initialized", {})
    server.notify("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } })
    const answers = await Promise.all(names.map((_, index) =>
      server.request("textDocument/hover", {
        textDocument: { uri },
        position: { line: lines.length + index, character: "lastro.".length }
      })
    ))
    server.stop()
    for (const [index, answer] of answers.entries()) {
      const value: string = Object(Object(answer).contents).value ?? ""
      const [, type = "", comment = ""] = /^```typescript\n(.*?)\n```\n?(.*)$/s.exec(value) ?? []
      hovers.set(names[index] ?? "", { type, comment: comment.trim() })
    }
  }, 180_000)
  afterAll(() => rm(folder, { recursive: true }))

  it("shows a comment and a type of at most 400 characters for every member", () => {
    assert.includeMembers([...names], Object.keys(operations))
    for (const name of names) {
      const { comment = "", type = "" } = hovers.get(name) ?? {}
      assert.match(type, new RegExp(String.raw`\b${name}: `), name)
      assert.isAtMost(type.length, 400, type)
      assert.match(comment, /^[A-Z].*\./, name)
    }
  })

  it("shows the request type of the body of every operation that takes one", () => {
    const bodies = Object.entries(operations).filter(([, { takes }]) => /command|file|patch/.test(takes)).map((
      [name]
    ) => [
      name,
      /(?:body|file)\??: ([^,]+)/.exec(hovers.get(name)?.type ?? "")?.[1]
    ])
    assert.deepStrictEqual(Object.fromEntries(bodies), {
      createPartner: "Untrusted<CreatePartnerRequest>",
      updatePartner: "Untrusted<UpdatePartnerRequest>",
      createClient: "Untrusted<CreateClientRequest>",
      rotateClientSecret: "Untrusted<RotateClientRequest>",
      createUser: "Untrusted<CreateUserRequest>",
      updateUser: "Untrusted<UpdateUserRequest>",
      putRouting: "Untrusted<PutRoutingRequest>",
      createApplication: "Untrusted<CreateFgtsApplicationRequest>",
      updateApplication: "Untrusted<UpdateFgtsApplicationRequest>",
      requoteApplication: "Untrusted<RequoteFgtsApplicationRequest>",
      acceptOffer: "Untrusted<AcceptFgtsOfferRequest>",
      cancelApplication: "Untrusted<CancelFgtsApplicationRequest>",
      submitKyc: "Untrusted<Partial<FgtsKycAnswer>>",
      withdrawFromProposal: "Untrusted<WithdrawFromProposalRequest>",
      renewSignatureLink: "Untrusted",
      createWebhook: "Untrusted<CreateWebhookRequest>",
      updateWebhook: "Untrusted<UpdateWebhookRequest>",
      rotateWebhookSecret: "Untrusted",
      testWebhook: "Untrusted",
      redeliverEvent: "Untrusted",
      replayWebhook: "Untrusted<ReplayWebhookRequest>",
      createCommissionPlan: "Untrusted<CreateCommissionPlanRequest>",
      adjustCommission: "Untrusted<AdjustCommissionRequest>",
      closeCommissions: "Untrusted<CloseCommissionsRequest>",
      createCommissionPayout: "Untrusted<CreatePayoutRequest>",
      compareCommissionStatement: "Untrusted<string>"
    })
  })
})
