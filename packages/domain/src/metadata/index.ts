export { maxMetadataKeyLength, maxMetadataKeys, maxMetadataValueLength, Metadata } from "./Metadata.ts"
export { matchesMetadata } from "./metadataFilter.ts"
export { orderedMetadata, parseMetadata, patchMetadata } from "./parseMetadata.ts"
