export { createUser } from "./CreateUser.ts"
export { deleteUser } from "./DeleteUser.ts"
export { getSignInEmail, getUser } from "./GetUser.ts"
export { canChangeStatus } from "./judgeGroup.ts"
export { LastAdministrator } from "./lastAdministrator.ts"
export { listUsers, UsersPage } from "./ListUsers.ts"
export { patchUser } from "./patchUser.ts"
export { updateUser } from "./UpdateUser.ts"
export { UserDetail, UserListItem, userListItem, UserPartnerEntry, UserStatus } from "./UserDetail.ts"
export { type UserFilters, type UserQuery, type UserSortField, userSortFields } from "./UserQuery.ts"
export { EmailTaken, UserRepository } from "./UserRepository.ts"
export {
  AccountData,
  CreateUserRequest,
  CreateUserResponse,
  CreateUserResponseData,
  UpdateUserRequest,
  UserDetailResponse
} from "./UserRequests.ts"
