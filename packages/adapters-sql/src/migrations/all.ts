import partners from "./0001_partners.ts"
import users from "./0002_users.ts"
import sessions from "./0003_sessions.ts"
import records from "./0004_records.ts"
import origination from "./0005_origination.ts"
import durableWork from "./0006_durable_work.ts"
import regions from "./0007_regions.ts"

/** Every migration by its id and name. Ids are contiguous: the migrator skips one that comes late with a lower id. */
export const migrations = {
  "0001_partners": partners,
  "0002_users": users,
  "0003_sessions": sessions,
  "0004_records": records,
  "0005_origination": origination,
  "0006_durable_work": durableWork,
  "0007_regions": regions
} as const
