import { partnerRepositorySuite, partnerTreeSuite, unitOfWorkSuite, userRepositorySuite } from "@lastro/testkit/suites"
import * as runner from "node:test"
import { layerSqlite } from "../src/layerSqlite.ts"

const sqlite = layerSqlite(":memory:")

unitOfWorkSuite("SQLite", sqlite, runner, { units: "serialised" })
partnerRepositorySuite("SQLite", sqlite, runner, { units: "serialised" })
partnerTreeSuite("SQLite", sqlite, runner, { units: "serialised" })
userRepositorySuite("SQLite", sqlite, runner, { units: "serialised" })
