import { openPostgresLastro } from "./src/lastro.ts"
import { countPaidLoan, followPaidLoans } from "./src/paidLoans.ts"

/** Follows the paid loans, and kills its own process after it has handled the first event, before the commit. */
const [url = "", partner_id = ""] = process.argv.slice(2)
await followPaidLoans(await openPostgresLastro(url), partner_id, async (event, tx) => {
  await countPaidLoan(event, tx)
  process.kill(process.pid, "SIGKILL")
  await new Promise(() => {})
})
