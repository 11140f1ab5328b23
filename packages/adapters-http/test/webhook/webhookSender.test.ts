import { assert, describe, it } from "@effect/vitest"
import { parseSecretsKeys, type WebhookSenderOptions } from "@lastro/adapters-http/webhook"
import { PersonalDataHasher } from "@lastro/domain/audit"
import { timestampOf } from "@lastro/domain/values"
import { type WebhookFault } from "@lastro/domain/webhook"
import { Effect, Layer, Result } from "effect"
import { IpNetwork } from "effect/net"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer as createEncrypted } from "node:https"
import { createServer as createTcp, type Socket } from "node:net"
import { Webhook } from "standardwebhooks"
import { openAuthority } from "../../../adapters-sql/test/database/authority.ts"
import { aDelivery, hasherOf, listening, openSender, receiver, resolving, sent } from "./sending.ts"

const answered = (status: number, retry_after_ms: number | null = null) => ({
  kind: "ANSWERED" as const,
  status,
  retry_after_ms
})
const failed = (reason: WebhookFault) => ({ kind: "FAILED" as const, reason })

/** Keys that were generated for this run. */
const generatedKeys = (count: number) =>
  Result.getOrThrow(
    parseSecretsKeys(Array.from({ length: count }, () => randomBytes(32).toString("base64")).join(","))
  )

describe("a delivery", () => {
  it.live("is signed so that the public library verifies it with each live secret", () =>
    Effect.gen(function*() {
      const requests: Array<{ headers: Record<string, string>; body: string; agent: string; method: string }> = []
      const url = yield* receiver(async (request, response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { headers, method = "" } = request
        const names = ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type"]
        requests.push({
          headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
          body: Buffer.concat(chunks).toString("utf8"),
          agent: headers["user-agent"] ?? "",
          method
        })
        response.writeHead(204).end()
      })
      const sender = yield* openSender()
      const [old, fresh, other] = [yield* sender.newSecret, yield* sender.newSecret, yield* sender.newSecret]
      const body = JSON.stringify({ type: "proposal.paid", data: { note: "São Paulo €" } })
      const at = timestampOf(Date.now())
      const answer = yield* sent(sender, url, { secrets: [old.sealed, fresh.sealed], body, at })
      assert.deepStrictEqual(answer, answered(204))
      const [received] = requests
      assert.lengthOf(requests, 1)
      assert.deepInclude(received, { body, method: "POST" })
      assert.strictEqual(received?.headers["content-type"], "application/json")
      assert.strictEqual(received?.headers["webhook-id"], "0197f3a2-9a1b-7c2d-8e3f-4a5b6c7d8e9f")
      assert.match(received?.agent ?? "", /^lastro\/\d+\.\d+\.\d+$/)
      for (const { shown } of [old, fresh]) {
        assert.match(shown, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.deepStrictEqual(new Webhook(shown).verify(body, received?.headers ?? {}), JSON.parse(body))
      }
      assert.throws(() => new Webhook(other.shown).verify(body, received?.headers ?? {}))
    }))

  it.live("T73 reports the status of a redirect, and does not follow it", () =>
    Effect.gen(function*() {
      let requests = 0
      const url = yield* receiver((_, response) => {
        requests += 1
        response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end()
      })
      assert.deepStrictEqual(yield* sent(yield* openSender(), url), answered(302))
      assert.strictEqual(requests, 1)
    }))

  it.live("reads Retry-After in seconds and as a date, up to one day", () =>
    Effect.gen(function*() {
      const headers = ["7", "Fri, 27 Nov 2026 12:00:31 GMT", "Fri, 27 Nov 2020 12:00:00 GMT", "9999999", "soon"]
      const left = [...headers]
      const url = yield* receiver((_, response) => {
        response.writeHead(503, { "retry-after": left.shift() ?? "" }).end("busy")
      })
      const sender = yield* openSender()
      const answers = yield* Effect.forEach(headers, () => sent(sender, url))
      assert.deepStrictEqual(answers, [7_000, 30_100, 0, 86_400_000, null].map((delay) => answered(503, delay)))
    }))

  it.live("T74 reads a response up to 16 KiB, and then closes the connection", () =>
    Effect.gen(function*() {
      let written = 0
      const ended = Promise.withResolvers<void>()
      const url = yield* receiver((_, response) => {
        response.writeHead(200)
        const write = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(4_096))) written += 4_096
        }
        response.on("drain", write).on("close", () => ended.resolve())
        write()
      })
      assert.deepStrictEqual(yield* sent(yield* openSender(), url), answered(200))
      yield* Effect.promise(() => ended.promise)
      assert.isAbove(written, 16_384)
    }))

  const silent: Readonly<Record<string, (socket: Socket) => void>> = {
    "sends no response": () => undefined,
    "sends its headers too slowly": (socket) => socket.write("HTTP/1.1 200 OK\r\nx-slow:"),
    "stops in the middle of the body": (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")
  }
  for (const [name, answer] of Object.entries(silent)) {
    it.live(`T74 ends with TIMEOUT if the receiver ${name}`, () =>
      Effect.gen(function*() {
        const sockets: Array<Promise<unknown>> = []
        const url = yield* tcpReceiver((socket) => {
          sockets.push(new Promise((resolve) => socket.on("close", resolve)))
          socket.once("data", () => answer(socket))
        })
        assert.deepStrictEqual(yield* sent(yield* openSender({ timeoutMs: 100 }), url), failed("TIMEOUT"))
        assert.lengthOf(sockets, 1)
        // The connection is closed, so the receiver keeps nothing open.
        yield* Effect.promise(() => Promise.all(sockets))
      }))
  }

  const broken: Readonly<Record<string, (socket: Socket) => void>> = {
    "before a response": (socket) => socket.destroy(),
    "in the middle of the body": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf"),
    "after something that is not HTTP": (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
    "to change the protocol": (socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")
  }
  for (const [name, answer] of Object.entries(broken)) {
    it.live(`ends with CONNECTION if the receiver closes the connection ${name}`, () =>
      Effect.gen(function*() {
        const url = yield* tcpReceiver((socket) => socket.once("data", () => answer(socket)))
        assert.deepStrictEqual(yield* sent(yield* openSender(), url), failed("CONNECTION"))
      }))
  }

  it.live("ends with CONNECTION if nothing listens", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(listening(createEncrypted()))
      assert.deepStrictEqual(yield* sent(yield* openSender(), `http://127.0.0.1:${port}`), failed("CONNECTION"))
    }))

  it.live("verifies the certificate and its host name", () =>
    Effect.gen(function*() {
      const authority = yield* openAuthority
      const serve = ({ certificate, key }: ReturnType<typeof authority.issue>) =>
        listening(createEncrypted({ cert: certificate, key }, (_, response) => response.writeHead(200).end()))
      const port = yield* serve(authority.issue("receiver", { subject: "receiver", host: "hooks.example" }))
      const expired = yield* serve(authority.issue("old", { subject: "old", host: "hooks.example", days: -1 }))
      const { resolve } = resolving("127.0.0.1")
      const trusting = yield* openSender({ resolve, authorities: [readFileSync(authority.path("ca.crt"), "utf8")] })
      assert.deepStrictEqual(yield* sent(trusting, `https://hooks.example:${port}/`), answered(200))
      assert.deepStrictEqual(yield* sent(trusting, `https://other.example:${port}/`), failed("TLS"))
      assert.deepStrictEqual(yield* sent(trusting, `https://hooks.example:${expired}/`), failed("TLS"))
      const usual = yield* openSender({ resolve })
      assert.deepStrictEqual(yield* sent(usual, `https://hooks.example:${port}/`), failed("TLS"))
    }))

  it.live("uses at most 256 connections to a host, and keeps ten of them", () =>
    Effect.gen(function*() {
      const sockets: Array<Socket> = []
      const waiting: Array<Socket> = []
      const full = Promise.withResolvers<void>()
      const url = yield* tcpReceiver((socket) => {
        sockets.push(socket)
        socket.on("data", () => {
          waiting.push(socket)
          if (waiting.length === 256) full.resolve()
          if (waiting.length > 256) socket.write("HTTP/1.1 204 No Content\r\n\r\n")
        })
      })
      const sender = yield* openSender()
      const deliveries = Array.from({ length: 280 }, () => sent(sender, url))
      const release = Effect.andThen(
        Effect.promise(() => full.promise),
        Effect.sync(() => waiting.slice(0, 256).forEach((socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n")))
      )
      const [answers] = yield* Effect.all([Effect.all(deliveries, { concurrency: "unbounded" }), release], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers, deliveries.map(() => answered(204)))
      assert.lengthOf(sockets, 256)
      yield* Effect.forEach(Array.from({ length: 20 }), () => sent(sender, url))
      assert.lengthOf(sockets, 256)
    }))

  it.live("closes an idle connection after a while, but no connection that waits for a response", () =>
    Effect.gen(function*() {
      const closed = Promise.withResolvers<void>()
      const url = yield* tcpReceiver((socket) => {
        socket.on("data", () => setTimeout(() => socket.write("HTTP/1.1 204 No Content\r\n\r\n"), 150))
        socket.on("close", () => closed.resolve())
      })
      assert.deepStrictEqual(yield* sent(yield* openSender({ idleMs: 50 }), url), answered(204))
      yield* Effect.promise(() => closed.promise)
    }))

  it.live("is sent once more if the receiver closes a kept connection at that moment", () =>
    Effect.gen(function*() {
      const requests: Array<number> = []
      const url = yield* tcpReceiver((socket) => {
        let ofSocket = 0
        socket.on("data", () => {
          ofSocket += 1
          requests.push(ofSocket)
          if (ofSocket === 1) socket.write("HTTP/1.1 204 No Content\r\n\r\n")
          else socket.resetAndDestroy()
        })
      })
      const sender = yield* openSender()
      assert.deepStrictEqual(yield* sent(sender, url), answered(204))
      assert.deepStrictEqual(yield* sent(sender, url), answered(204))
      assert.deepStrictEqual(requests, [1, 2, 1])
    }))
})

/** Accepts connections on this machine. Returns the URL of an endpoint. */
const tcpReceiver = (handle: (socket: Socket) => void) =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    const server = createTcp((socket) => {
      sockets.add(socket.on("error", () => undefined))
      handle(socket)
    })
    const closable = Object.assign(server, { closeAllConnections: () => sockets.forEach((socket) => socket.destroy()) })
    return `http://127.0.0.1:${yield* listening(closable)}/hooks`
  })

const refusedAddresses = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.8",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::8.8.8.8",
  "::ffff:8.8.8.8",
  "::ffff:169.254.169.254",
  "64:ff9b::8.8.8.8",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:2::1",
  "2001:db8::1",
  "2002:808:808::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1"
]

const hostOf = (address: string): string => address.includes(":") ? `[${address}]` : address

/** Allows no endpoint on this machine. */
const publicOnly: WebhookSenderOptions = { isLoopbackAllowed: false }

describe("the address of an endpoint", () => {
  it.live("T73 is refused at the registration if it is literal and not public", () =>
    Effect.gen(function*() {
      const { refusalOf } = yield* openSender(publicOnly)
      const odd = [
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0xa9fea9fe",
        "127.0.0.1.",
        "localhost",
        "a.localhost"
      ]
      for (const host of [...refusedAddresses.map(hostOf), ...odd]) {
        assert.strictEqual(refusalOf(`https://${host}/hooks`), "ADDRESS_FORBIDDEN", host)
        assert.strictEqual(refusalOf(`http://${host}/hooks`), "ADDRESS_FORBIDDEN", host)
      }
      const refused = {
        "": "INVALID_URL",
        "hooks.example": "INVALID_URL",
        "https://": "INVALID_URL",
        "https://user@hooks.example": "INVALID_URL",
        "https://user:word@hooks.example": "INVALID_URL",
        "http://hooks.example": "HTTPS_REQUIRED",
        "http://hooks.example:8080": "HTTPS_REQUIRED",
        "http://8.8.8.8": "HTTPS_REQUIRED",
        "http://8.8.8.8:8080": "HTTPS_REQUIRED",
        "ftp://hooks.example": "HTTPS_REQUIRED",
        "https://hooks.example:25": "ADDRESS_FORBIDDEN",
        "https://8.8.8.8:22": "ADDRESS_FORBIDDEN"
      }
      for (const [url, reason] of Object.entries(refused)) assert.strictEqual(refusalOf(url), reason, url)
      for (const url of ["hooks.example/a?b=c", "8.8.8.8", "[2606:4700::1111]", "hooks.example:8443"]) {
        assert.isUndefined(refusalOf(`https://${url}`), url)
      }
    }))

  it.live("T73 is refused at the delivery if the name has any address that is not public", () =>
    Effect.gen(function*() {
      for (const address of refusedAddresses) {
        for (const addresses of [[address], ["8.8.8.8", address]]) {
          const { names, resolve } = resolving(...addresses)
          const sender = yield* openSender({ ...publicOnly, resolve })
          assert.deepStrictEqual(yield* sent(sender, "https://hooks.example"), failed("ADDRESS_FORBIDDEN"), address)
          assert.deepStrictEqual(names, ["hooks.example"])
        }
      }
    }))

  it.live("T73 is refused at the delivery if it is literal, has a user, or needs encryption", () =>
    Effect.gen(function*() {
      const sender = yield* openSender({ ...publicOnly, ...resolving("8.8.8.8") })
      const plain = ["http://8.8.8.8", "http://8.8.8.8:8080", "http://hooks.example", "http://hooks.example:8080"]
      for (const url of ["https://127.0.0.1", ...plain, "https://me@hooks.example"]) {
        assert.deepStrictEqual(yield* sent(sender, url), failed("ADDRESS_FORBIDDEN"), url)
      }
    }))

  it.live("T73 is checked again for each connection, so that a later change of the DNS has no effect", () =>
    Effect.gen(function*() {
      let requests = 0
      const url = yield* receiver((_, response) => {
        requests += 1
        response.writeHead(204, { connection: "close" }).end()
      })
      const { port } = new URL(url)
      const addresses = ["127.0.0.1", "10.0.0.1"]
      const sender = yield* openSender({
        resolve: async () => [{ address: addresses.shift() ?? "", family: 4 }]
      })
      const named = `http://hooks.localhost:${port}`
      assert.deepStrictEqual(yield* sent(sender, named), answered(204))
      assert.deepStrictEqual(yield* sent(sender, named), failed("ADDRESS_FORBIDDEN"))
      assert.strictEqual(requests, 1)
    }))

  it.live("on this machine or in a network is allowed if the options list it", () =>
    Effect.gen(function*() {
      const url = yield* receiver((_, response) => response.writeHead(204).end())
      const { port } = new URL(url)
      const listed = yield* openSender({ isLoopbackAllowed: [`127.0.0.1:${port}`] })
      assert.deepStrictEqual(yield* sent(listed, url), answered(204))
      assert.isUndefined(listed.refusalOf(url))
      assert.deepStrictEqual(yield* sent(listed, `http://localhost:${port}`), failed("ADDRESS_FORBIDDEN"))
      const allow = ["10.0.0.0/8", "127.0.0.0/8"].map((block) => IpNetwork.fromStringUnsafe(block))
      const network = yield* openSender({ isLoopbackAllowed: false, allow })
      assert.deepStrictEqual(yield* sent(network, url), answered(204))
      assert.isUndefined(network.refusalOf("https://10.1.2.3"))
      assert.isUndefined(network.refusalOf("https://[::ffff:10.1.2.3]"))
      assert.strictEqual(network.refusalOf("http://10.1.2.3"), "HTTPS_REQUIRED")
      assert.strictEqual(network.refusalOf("https://192.168.1.1"), "ADDRESS_FORBIDDEN")
      assert.strictEqual(network.refusalOf("https://[::1]"), "ADDRESS_FORBIDDEN")
    }))

  it.live("ends with NAME_NOT_FOUND without an address, and with TIMEOUT without an answer of the DNS", () =>
    Effect.gen(function*() {
      const missing = yield* openSender({
        resolve: () => Promise.reject(Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" }))
      })
      assert.deepStrictEqual(yield* sent(missing, "https://hooks.example"), failed("NAME_NOT_FOUND"))
      const empty = yield* openSender(resolving())
      assert.deepStrictEqual(yield* sent(empty, "https://hooks.example"), failed("NAME_NOT_FOUND"))
      const slow = yield* openSender({ resolve: () => new Promise(() => undefined), timeoutMs: 50 })
      assert.deepStrictEqual(yield* sent(slow, "https://hooks.example"), failed("TIMEOUT"))
    }))

  it.live("ends with TIMEOUT also if the key of the database is not read in time", () =>
    Effect.gen(function*() {
      const delivery = yield* aDelivery(yield* openSender(), "https://hooks.example")
      const hasher = Layer.succeed(PersonalDataHasher, PersonalDataHasher.of({ hash: () => Effect.never }))
      const { duration_ms, ...answer } = yield* (yield* openSender({ timeoutMs: 50 }, hasher)).send(delivery)
      assert.deepStrictEqual(answer, failed("TIMEOUT"))
      assert.isAtLeast(duration_ms, 40)
    }))
})

describe("the secret of an endpoint", () => {
  it.live("T75 is encrypted differently each time, and the text does not contain it", () =>
    Effect.gen(function*() {
      const sender = yield* openSender()
      const [one, other] = [yield* sender.newSecret, yield* sender.newSecret]
      assert.notStrictEqual(one.shown, other.shown)
      assert.notStrictEqual(one.sealed, other.sealed)
      const secret = Buffer.from(one.shown.slice("whsec_".length), "base64")
      const stored = Buffer.from(one.sealed.split(".").at(-1) ?? "", "base64url")
      assert.lengthOf(secret, 32)
      assert.isFalse(stored.includes(secret))
    }))

  it.live("T75 is readable with its key only: after a replacement of the key, the old one must be listed too", () =>
    Effect.gen(function*() {
      const url = yield* receiver((_, response) => response.writeHead(204).end())
      const [old, fresh] = generatedKeys(2)
      assert(old !== undefined && fresh !== undefined)
      const withDatabase = yield* aDelivery(yield* openSender(), url)
      const withOld = yield* aDelivery(yield* openSender({ secretsKeys: [old] }), url)
      const kindOf = Effect.fnUntraced(function*(secretsKeys: WebhookSenderOptions["secretsKeys"], sealed = withOld) {
        const sender = yield* openSender(secretsKeys === undefined ? {} : { secretsKeys })
        const answer = yield* sender.send(sealed)
        return answer.kind === "FAILED" ? answer.reason : answer.status
      })
      assert.strictEqual(yield* kindOf([old]), 204)
      assert.strictEqual(yield* kindOf([fresh, old]), 204)
      assert.strictEqual(yield* kindOf([fresh]), "SECRET_UNREADABLE")
      assert.strictEqual(yield* kindOf(undefined), "SECRET_UNREADABLE")
      // Secrets from before the setting was set stay readable.
      assert.strictEqual(yield* kindOf([fresh], withDatabase), 204)
      const both = { ...withOld, secrets: [...withOld.secrets, ...withDatabase.secrets] }
      assert.strictEqual(yield* kindOf([old], both), 204)
      // The old key may be removed at once after a rotation, although the previous secret still signs.
      const withFresh = yield* aDelivery(yield* openSender({ secretsKeys: [fresh] }), url)
      const rotated = { ...withFresh, secrets: [...withFresh.secrets, ...withOld.secrets] }
      assert.strictEqual(yield* kindOf([fresh], rotated), 204)
      assert.strictEqual(yield* kindOf([old], rotated), "SECRET_UNREADABLE")
      const elsewhere = yield* openSender({}, hasherOf("another database"))
      assert.deepInclude(yield* elsewhere.send(withDatabase), failed("SECRET_UNREADABLE"))
    }))

  it.live("T75 is refused if its text was changed", () =>
    Effect.gen(function*() {
      const [key] = generatedKeys(1)
      assert(key !== undefined)
      const sender = yield* openSender({ secretsKeys: [key] })
      const { sealed } = yield* sender.newSecret
      const [version, id, data = ""] = sealed.split(".")
      const flipped = Buffer.from(data, "base64url").map((byte, index) => index === 20 ? byte ^ 1 : byte)
      const changed = [
        "",
        "whsec_AAAA",
        `v2.${id}.${data}`,
        `${version}.${id}.`,
        `${version}.${id}.${Buffer.from(flipped).toString("base64url")}`,
        `${version}.${id}.${data.slice(0, -8)}`
      ]
      for (const text of changed) {
        const delivery = yield* aDelivery(sender, "http://127.0.0.1:1", { secrets: [text, sealed] })
        assert.deepInclude(yield* sender.send(delivery), failed("SECRET_UNREADABLE"), text)
      }
    }))

  it("the keys are 32 bytes in Base64 each, separated by commas", () => {
    const key = randomBytes(32).toString("base64")
    assert.isTrue(Result.isSuccess(parseSecretsKeys(key)))
    assert.isTrue(Result.isSuccess(parseSecretsKeys(`${key}, ${randomBytes(32).toString("base64url")}`)))
    for (
      const text of ["", "secret", `${key},`, randomBytes(31).toString("base64"), randomBytes(33).toString("base64")]
    ) {
      assert.isTrue(Result.isFailure(parseSecretsKeys(text)), text)
    }
  })
})
