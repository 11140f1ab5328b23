import { Layer } from "effect"
import {
  partnerRepositorySuite,
  partnerTreeSuite,
  unitOfWorkSuite,
  userRepositorySuite
} from "../../src/contracts/index.ts"
import * as Db from "../../src/memory/MemoryDatabase.ts"
import * as A from "../../src/memory/PartnerRepository.ts"
import * as B from "../../src/memory/PartnerTree.ts"
import * as D from "../../src/memory/UnitOfWork.ts"
import * as C from "../../src/memory/UserRepository.ts"
const layer = Layer.provideMerge(Layer.mergeAll(A.layer, B.layer, C.layer, D.layer), Db.layer)
for (const suite of [partnerRepositorySuite, partnerTreeSuite, userRepositorySuite, unitOfWorkSuite]) {
  suite("memory", layer, { units: "serialised" })
}
