import { Option } from "effect"
import { acceptOffer } from "../fgts/application/AcceptOffer.ts"
import { type ApplicationId } from "../fgts/application/ApplicationId.ts"
import { createApplication } from "../fgts/application/CreateApplication.ts"
import { getApplication } from "../fgts/application/GetApplication.ts"
import { getApplicationStatus } from "../fgts/application/GetApplicationStatus.ts"
import { requoteApplication } from "../fgts/application/RequoteApplication.ts"
import { searchApplications } from "../fgts/application/SearchApplications.ts"
import { getKyc } from "../fgts/kyc/GetKyc.ts"
import { submitKyc } from "../fgts/kyc/SubmitKyc.ts"
import { type OfferId } from "../fgts/quote/OfferId.ts"
import { type FgtsApplicationStatus } from "../fgts/view/FgtsApplicationStatus.ts"
import { type Allowed } from "../hierarchy/Authorization.ts"
import { permits } from "../hierarchy/permits.ts"
import { idOrNobody } from "../id/Uuid.ts"
import { getProposal } from "../proposal/GetProposal.ts"
import { listProposals } from "../proposal/ListProposals.ts"
import { isSame } from "../validation/isSame.ts"
import { keyed, permitted, permittedOn, rawQuery, type Run } from "./calls.ts"
import { type OriginationFunctions, type StatusOptions } from "./OriginationFunctions.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

const knownBy = ({ known }: StatusOptions) => (present: FgtsApplicationStatus): Option.Option<boolean> =>
  known === undefined ? Option.none() : Option.some(isSame(present, known))

/** The functions of origination and proposals. */
export const origination = (run: Run<UseCasePorts>): OriginationFunctions => ({
  searchApplications: (caller, query, options) => {
    const search = (allowed: Allowed<"fgts:read">) => searchApplications(allowed, rawQuery(query))
    return run(permitted(permits.searchApplications(caller), search), options)
  },
  createApplication: (caller, body, options) => {
    const created = permitted(permits.createApplication(caller), (allowed) => createApplication(allowed, body))
    return run(keyed("createApplication", [body], options)(created), options)
  },
  getApplication: (caller, application_id, query, options) => {
    const get = (allowed: Allowed<"fgts:read">, id: ApplicationId) => getApplication(allowed, id, rawQuery(query))
    return run(permittedOn(permits.getApplication(caller), application_id, get), options)
  },
  getApplicationStatus: (caller, application_id, options = {}) => {
    const get = (allowed: Allowed<"fgts:read">, id: ApplicationId) =>
      getApplicationStatus(allowed, id, rawQuery({ wait: options.wait }), knownBy(options))
    return run(permittedOn(permits.getApplicationStatus(caller), application_id, get), options)
  },
  requoteApplication: (caller, application_id, body, options) => {
    const requote = (allowed: Allowed<"fgts:write">, id: ApplicationId) => requoteApplication(allowed, id, body)
    const requoted = permittedOn(permits.requoteApplication(caller), application_id, requote)
    return run(keyed("requoteApplication", [application_id, body], options)(requoted), options)
  },
  acceptOffer: (caller, application_id, offer_id, body, options) => {
    // The application's hierarchy is judged before the offer's existence.
    const accept = (allowed: Allowed<"fgts:write">, id: ApplicationId) =>
      acceptOffer(allowed, id, idOrNobody<OfferId>(offer_id), body)
    const accepted = permittedOn(permits.acceptOffer(caller), application_id, accept)
    return run(keyed("acceptOffer", [application_id, offer_id, body], options)(accepted), options)
  },
  getKyc: (caller, application_id, options) =>
    run(permittedOn(permits.getKyc(caller), application_id, getKyc), options),
  submitKyc: (caller, application_id, body, options) => {
    const submit = (allowed: Allowed<"fgts:write">, id: ApplicationId) => submitKyc(allowed, id, body)
    const submitted = permittedOn(permits.submitKyc(caller), application_id, submit)
    return run(keyed("submitKyc", [application_id, body], options)(submitted), options)
  },
  listProposals: (caller, query, options) =>
    run(permitted(permits.listProposals(caller), (allowed) => listProposals(allowed, rawQuery(query))), options),
  getProposal: (caller, proposal_id, options) =>
    run(permittedOn(permits.getProposal(caller), proposal_id, getProposal), options)
})
