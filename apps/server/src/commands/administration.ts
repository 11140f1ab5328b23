import { Command } from "effect/cli"
import { applications } from "./applications.ts"
import { audit } from "./audit.ts"
import { clients } from "./clients.ts"
import { check } from "./database.ts"
import { keys } from "./keys.ts"
import { partners } from "./partners.ts"
import { privacy } from "./privacy.ts"
import { top } from "./top.ts"
import { users } from "./users.ts"
import { webhooks } from "./webhooks.ts"
import { work } from "./work.ts"

/** The commands that a running server runs for other processes, because only the server can open its embedded database. */
export const administration = [
  clients,
  partners,
  users,
  keys,
  check,
  work,
  applications,
  audit,
  privacy,
  webhooks,
  top
] as const

/** The command tree that a server runs for other processes. It has no command that starts or fills a database. */
export const administrationTree = Command.make("lastro").pipe(Command.withSubcommands(administration))
