import { describe, expectTypeOf, it } from "@effect/vitest"
import { layerMemory, type layerMemoryNoLender } from "@lastro/testkit"
import { type Layer } from "effect"
import { type Lender } from "../../src/lender/Lender.ts"
import { type IdGenerator } from "../../src/ports/generators.ts"
import { type Lastro } from "../../src/promises/Lastro.ts"
import { openLastro } from "../../src/promises/openLastro.ts"
import { type IncompleteLayer } from "../../src/promises/openPorts.ts"
import { type UseCasePorts } from "../../src/promises/UseCasePorts.ts"

describe("openLastro", () => {
  it("accepts a complete layer, and names the services that another one lacks in the error of the compiler", () => {
    const complete = () => openLastro(layerMemory)
    expectTypeOf<Awaited<ReturnType<typeof complete>>>().toExtend<Lastro>()
    expectTypeOf<typeof layerMemoryNoLender>().not.toExtend<Layer.Layer<UseCasePorts>>()
    expectTypeOf<IncompleteLayer<UseCasePorts, never, IdGenerator | Lender, UseCasePorts>>()
      .toHaveProperty("This layer still requires services. Add the layers that provide them with Layer.provideMerge:")
      .toEqualTypeOf<IdGenerator | Lender>()
    expectTypeOf<IncompleteLayer<Exclude<UseCasePorts, Lender>, never, never, UseCasePorts>>()
      .toHaveProperty("This layer does not provide these ports. Merge the layers that provide them:")
      .toEqualTypeOf<Lender>()
  })
})
