import { IdGenerator } from "@lastro/domain/ports"
import { idGeneratorSuite } from "@lastro/testkit/suites"
import { Effect, Layer } from "effect"
import * as runner from "node:test"

idGeneratorSuite("unbuilt", Layer.effect(IdGenerator, Effect.die(new Error("the database is away"))), runner)
