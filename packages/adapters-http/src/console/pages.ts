import { applicationPage } from "./applicationPage.ts"
import { applicationsPage, newApplicationPage } from "./applicationsPage.ts"
import { auditPage } from "./auditPage.ts"
import { clientPage, clientsPage, newClientPage } from "./clientsPage.ts"
import { commissionsPage, commissionStatementPage, partnerCommissionsPage } from "./commissionsPage.ts"
import { homePage } from "./homePage.ts"
import { kycPage } from "./kycPage.ts"
import { newPartnerPage, partnerPage, partnersPage } from "./partnersPage.ts"
import { newUserPage, passwordPage, userPage, usersPage } from "./usersPage.ts"
import { type Page } from "./Visit.ts"

/** Every page that needs a session. */
export const pages: ReadonlyArray<Page> = [
  homePage,
  applicationsPage,
  newApplicationPage,
  applicationPage,
  kycPage,
  commissionsPage,
  partnerCommissionsPage,
  commissionStatementPage,
  partnersPage,
  newPartnerPage,
  partnerPage,
  usersPage,
  newUserPage,
  userPage,
  clientsPage,
  newClientPage,
  clientPage,
  passwordPage,
  auditPage
]
