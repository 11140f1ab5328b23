import { NodeCrypto } from "@effect/platform-node"
import { layerIdGenerator, layerSecretGenerator } from "@lastro/adapters-http/security"
import { idGeneratorSuite, secretGeneratorSuite } from "@lastro/testkit/suites"
import { Layer } from "effect"
import * as runner from "vitest"

// The suite draws more ids than the generator draws random bytes for at once.
idGeneratorSuite("secure random", Layer.provide(layerIdGenerator, NodeCrypto.layer), runner)
secretGeneratorSuite("secure random", Layer.provide(layerSecretGenerator, NodeCrypto.layer), runner)
