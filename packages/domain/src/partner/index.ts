export { createPartner, newPartner } from "./CreatePartner.ts"
export { deletePartner } from "./DeletePartner.ts"
export { getPartner } from "./GetPartner.ts"
export { listPartners, PartnersPage } from "./ListPartners.ts"
export { parseNewPartner } from "./parseNewPartner.ts"
export { PartnerDetail, PartnerListItem, partnerListItem, PartnerStatus } from "./PartnerDetail.ts"
export { type PartnerFilters, type PartnerQuery, type PartnerSortField, partnerSortFields } from "./PartnerQuery.ts"
export { type Dependents, DocumentTaken, PartnerHasDependents, PartnerRepository } from "./PartnerRepository.ts"
export {
  CreatePartnerRequest,
  CreatePartnerResponse,
  CreatePartnerResponseData,
  Partner,
  PartnerDetailResponse,
  UpdatePartnerRequest
} from "./PartnerRequests.ts"
export { patchPartner } from "./patchPartner.ts"
export { updatePartner } from "./UpdatePartner.ts"
