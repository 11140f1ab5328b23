import { qitechSimulator, type SentWebhook } from "@lastro/testkit/qitech"
import { Effect } from "effect"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { emptyFolder } from "./machine.ts"
import { type Serve } from "./onServers.ts"

const nextYear = new Date().getUTCFullYear() + 1

/** The balance of the customers: periods in the month of their birth. */
const periods = [0, 1, 2].map((year) => ({ due_date: `${nextYear + year}-05-01`, amount: 500 }))

/**
 * Starts a simulator of QI Tech, and a server that uses it as its lender. The simulator sends its webhooks to the server, each
 * several times.
 */
export const qitechServer = Effect.fnUntraced(function*(serve: Serve) {
  const simulator = yield* qitechSimulator()
  simulator.setBalance(periods)
  const folder = yield* emptyFolder
  const documents = join(folder, "documents")
  const keys = { own: join(folder, "own.pem"), theirs: join(folder, "theirs.pem") }
  yield* Effect.promise(async () => {
    await writeFile(keys.own, simulator.clientPrivateKey)
    await writeFile(keys.theirs, simulator.publicKey)
    await mkdir(documents)
    await Promise.all(["front.jpg", "back.jpg", "home.pdf"].map((name) => writeFile(join(documents, name), name)))
  })
  const server = yield* serve({
    LASTRO_LENDER: "qitech",
    LASTRO_LENDER_RATE: "off",
    LASTRO_QITECH_URL: simulator.url,
    LASTRO_QITECH_API_KEY: simulator.apiKey,
    LASTRO_QITECH_PRIVATE_KEY_FILE: keys.own,
    LASTRO_QITECH_PUBLIC_KEY_FILE: keys.theirs,
    LASTRO_QITECH_TABLES: "standard:Tabela Standard:1.8;plus:Tabela Plus:1.8:10%",
    LASTRO_QITECH_DOCUMENTS_DIR: documents
  })
  const sent: Array<SentWebhook> = []
  const post = async ({ body, headers, method, path }: SentWebhook): Promise<number> => {
    const { status } = await fetch(`${server.url}${path}`, { method, headers, body: new Uint8Array(body) })
    return status
  }
  simulator.sendTo("/api/v1/lender-callbacks/qitech", (webhook) => {
    sent.push(webhook)
    return post(webhook)
  })
  const send = Effect.promise(async () => {
    await simulator.deliver()
    // A callback that arrives before the answer to the request changes nothing. QI Tech repeats it.
    await Promise.all(sent.slice(-6).map(post))
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(send, Effect.sleep("500 millis"))))
  return { server, simulator }
})
