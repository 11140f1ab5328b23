import { IdGenerator } from "@lastro/domain/id"
import { idGeneratorSuite } from "@lastro/testkit/contracts"
import { Effect, Layer } from "effect"
import * as runner from "node:test"

idGeneratorSuite("unbuilt", Layer.effect(IdGenerator, Effect.die(new Error("the database is away"))), runner)
