import { Command } from "effect/cli"
import { bootstrap } from "./commands/bootstrap.ts"
import { check } from "./commands/check.ts"
import { clients } from "./commands/clients.ts"
import { keys } from "./commands/keys.ts"
import { migrate } from "./commands/migrate.ts"
import { partners } from "./commands/partners.ts"
import { seed } from "./commands/seed.ts"
import { serve } from "./commands/serve.ts"

/** The command line of Lastro. */
export const lastro = Command.make("lastro").pipe(
  Command.withDescription("The Lastro API and what its operator needs"),
  Command.withSubcommands([serve, migrate, bootstrap, clients, partners, keys, seed, check])
)
