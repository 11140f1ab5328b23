import { orThrow } from "@lastro/domain/promises"
import { openSubscriber, project } from "./subscribers.ts"

// Follows the events of a partner with two subscriptions, and prints the name and the sequence of each event. The handlers
// of the last event never end: the one with a transaction has written by then. Runs until it is killed.
const [url = "", partner_id = "", last = ""] = process.argv.slice(2)
const lastro = await openSubscriber(url)

const print = async (name: string, sequence: number): Promise<void> => {
  process.stdout.write(`${name} ${sequence}\n`)
  if (sequence === Number(last)) await new Promise(() => {})
}

orThrow(await lastro.subscribe("mail", ({ sequence }) => print("mail", sequence), { partner_id }))
orThrow(
  await lastro.subscribe("projection", async (event, tx) => {
    await project(event, tx)
    await print("projection", event.sequence)
  }, { partner_id, transaction: true })
)
