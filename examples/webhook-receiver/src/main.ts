import { expressReceiver } from "./express.ts"
import { honoReceiver } from "./hono.ts"
import { Inbox } from "./Inbox.ts"

const port = 4000
const secret = process.env["WEBHOOK_SECRET"]
if (secret === undefined) throw new Error("Set WEBHOOK_SECRET to the secret of the webhook, whsec_…")

const inbox = new Inbox("events.sqlite")
const receiver = process.argv[2] === "express" ? expressReceiver : honoReceiver
const server = receiver(secret, inbox, (event) => console.log(event))

server.listen(port, "127.0.0.1", () => console.log(`Receiving events on http://127.0.0.1:${port}/webhooks`))

const stop = () => server.close(() => inbox.close())
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
