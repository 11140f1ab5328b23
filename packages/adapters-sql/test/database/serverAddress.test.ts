import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { serverAddress } from "../../src/database/connection/ConnectionTarget.ts"
import { urlsOfHosts } from "../../src/database/connection/databaseHosts.ts"
import { validateDatabaseUrl } from "../../src/index.ts"

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

  it.each([
    ["postgres://u:p@a:1,b:2/db", ["a:1", "b:2"]],
    ["postgres://u:p,q@a,b:2/db", ["a:5432", "b:2"]],
    ["postgres://u@[::1]:1,b/db?connect_timeout=1", ["::1:1", "b:5432"]],
    ["postgres://u@a,b/db?port=7", ["a:7", "b:7"]],
    ["postgres://u@c:7/db?host=a,b", ["a:7", "b:7"]],
    ["postgres://u:p@/db?host=/run/a", ["/run/a/.s.PGSQL.5432"]],
    ["postgres://u:p%20@:7/db?host=/run/a", ["/run/a/.s.PGSQL.7"]],
    ["postgres://u:p@/db", ["localhost:5432"]],
    ["postgres:///db?host=/run/a,/run/b&port=,2", ["/run/a/.s.PGSQL.5432", "/run/b/.s.PGSQL.2"]]
  ])("reads the hosts of %s as libpq does", (url, expected) => {
    const valid = Redacted.value(Result.getOrThrow(validateDatabaseUrl(url)))
    assert.strictEqual(Redacted.value(Result.getOrThrow(validateDatabaseUrl(valid))), valid)
    const addresses = urlsOfHosts(valid).map((one) => serverAddress(one))
    assert.deepStrictEqual(addresses.map((one) => "path" in one ? one.path : `${one.host}:${one.port}`), expected)
  })
})
