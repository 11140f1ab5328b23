import { assert, describe, it } from "@effect/vitest"
import { serverAddress } from "../../src/database/connection/ConnectionTarget.ts"

describe("serverAddress", () => {
  it.each([
    ["postgres://u:p@db.example:6432/lastro", { host: "db.example", port: 6432 }],
    ["postgresql://db.example/lastro", { host: "db.example", port: 5432 }],
    ["postgres://u:p@10.0.0.7/lastro?sslmode=require", { host: "10.0.0.7", port: 5432 }],
    ["postgres://u:p@[::1]:5433/lastro", { host: "::1", port: 5433 }],
    ["postgres://u@%2Fvar%2Frun%2Fpostgresql/lastro", { path: "/var/run/postgresql/.s.PGSQL.5432" }],
    ["postgres:///lastro", { host: "localhost", port: 5432 }],
    ["postgres://u@db/lastro?host=other&port=6543", { host: "other", port: 6543 }],
    ["postgres:///lastro?host=/tmp&port=5433", { path: "/tmp/.s.PGSQL.5433" }]
  ])("reads %s as libpq does", (url, address) => {
    assert.deepStrictEqual<unknown>(serverAddress(url), address)
  })
})
