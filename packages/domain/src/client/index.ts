export { revokeClient, rotateClientSecret } from "./ChangeClient.ts"
export {
  ClientDetail,
  ClientDetailResponse,
  ClientSecretResponse,
  ClientsPage,
  ClientStatus,
  type ClientWithSecret,
  CreateClientRequest,
  OwnClient,
  OwnPrincipalResponse,
  RotateClientRequest
} from "./ClientDetail.ts"
export { createClient, getClient } from "./CreateClient.ts"
export { listClients } from "./ListClients.ts"
