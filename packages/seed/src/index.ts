export { storeViews } from "./commissions.ts"
export { dropIndexes, vacuum } from "./maintenance.ts"
export { commonFamilyName, rareFamilyName } from "./names.ts"
export * from "./seed.ts"
