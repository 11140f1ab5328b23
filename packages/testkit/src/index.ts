export * from "./arbitraries/documents.ts"
export * from "./arbitraries/paging.ts"
