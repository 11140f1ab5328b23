import { Option } from "effect"
import { acceptOffer } from "../fgts/origination/AcceptOffer.ts"
import { createApplication } from "../fgts/origination/CreateApplication.ts"
import { getApplication } from "../fgts/origination/GetApplication.ts"
import { getApplicationStatus } from "../fgts/origination/GetApplicationStatus.ts"
import { getKyc } from "../fgts/origination/GetKyc.ts"
import { requoteApplication } from "../fgts/origination/RequoteApplication.ts"
import { searchApplications } from "../fgts/origination/SearchApplications.ts"
import { submitKyc } from "../fgts/origination/SubmitKyc.ts"
import { type FgtsApplicationStatus } from "../fgts/view/FgtsApplicationStatus.ts"
import { type ApplicationId } from "../id/ApplicationId.ts"
import { type OfferId } from "../id/OfferId.ts"
import { idOrNobody } from "../id/Uuid.ts"
import { type Allowed } from "../identity/Authorization.ts"
import { permits } from "../identity/permits.ts"
import { getProposal } from "../proposal/GetProposal.ts"
import { listProposals } from "../proposal/ListProposals.ts"
import { isSame } from "../validation/isSame.ts"
import { permitted, permittedOn, type Run } from "./calls.ts"
import { keyed } from "./keyed.ts"
import { type OriginationFunctions, type StatusOptions } from "./OriginationFunctions.ts"
import { queried } from "./queried.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

const knownBy = ({ known }: StatusOptions) => (present: FgtsApplicationStatus): Option.Option<boolean> =>
  known === undefined ? Option.none() : Option.some(isSame(present, known))

/** The functions of origination and proposals. */
export const origination = (run: Run<UseCasePorts>): OriginationFunctions => ({
  searchApplications: (caller, query, options) => {
    const search = (allowed: Allowed<"fgts:read">) => queried(query, (raw) => searchApplications(allowed, raw))
    return run(() => permitted(caller, permits.searchApplications, search), options)
  },
  createApplication: (caller, body, options) => {
    const once = keyed("createApplication", [body], options)
    const create = (allowed: Allowed<"fgts:write">) => once(createApplication(allowed, body))
    return run(() => permitted(caller, permits.createApplication, create), options)
  },
  getApplication: (caller, application_id, query, options) => {
    const get = (allowed: Allowed<"fgts:read">, id: ApplicationId) =>
      queried(query, (raw) => getApplication(allowed, id, raw))
    return run(() => permittedOn(caller, permits.getApplication, application_id, get), options)
  },
  getApplicationStatus: (caller, application_id, options = {}) => {
    const get = (allowed: Allowed<"fgts:read">, id: ApplicationId) =>
      queried({ wait: options.wait }, (raw) => getApplicationStatus(allowed, id, raw, knownBy(options)))
    return run(() => permittedOn(caller, permits.getApplicationStatus, application_id, get), options)
  },
  requoteApplication: (caller, application_id, body, options) => {
    const requote = (allowed: Allowed<"fgts:write">, id: ApplicationId) =>
      keyed("requoteApplication", [id, body], options)(requoteApplication(allowed, id, body))
    return run(() => permittedOn(caller, permits.requoteApplication, application_id, requote), options)
  },
  acceptOffer: (caller, application_id, offer_id, body, options) => {
    // The application's hierarchy is judged before the offer's existence.
    const offer = idOrNobody<OfferId>(String(offer_id))
    const accept = (allowed: Allowed<"fgts:write">, id: ApplicationId) =>
      keyed("acceptOffer", [id, offer, body], options)(acceptOffer(allowed, id, offer, body))
    return run(() => permittedOn(caller, permits.acceptOffer, application_id, accept), options)
  },
  getKyc: (caller, application_id, options) =>
    run(() => permittedOn(caller, permits.getKyc, application_id, getKyc), options),
  submitKyc: (caller, application_id, body, options) => {
    const submit = (allowed: Allowed<"fgts:write">, id: ApplicationId) =>
      keyed("submitKyc", [id, body], options)(submitKyc(allowed, id, body))
    return run(() => permittedOn(caller, permits.submitKyc, application_id, submit), options)
  },
  listProposals: (caller, query, options) => {
    const list = (allowed: Allowed<"proposals:read">) => queried(query, (raw) => listProposals(allowed, raw))
    return run(() => permitted(caller, permits.listProposals, list), options)
  },
  getProposal: (caller, proposal_id, options) =>
    run(() => permittedOn(caller, permits.getProposal, proposal_id, getProposal), options)
})
