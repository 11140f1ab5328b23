export { Address, parseUf, parseZipcode, Uf, ufs, Zipcode } from "./Address.ts"
export { Rate } from "./Amount.ts"
export {
  AccountNumber,
  AccountType,
  Agency,
  BankAccount,
  BankCheckDigit,
  BankCode,
  digits,
  maskAccountNumber,
  maskBankAccount,
  parseAccountNumber,
  parseAgency,
  parseBankCheckDigit,
  parseBankCode
} from "./BankAccount.ts"
export { businessDayFrom } from "./businessDay.ts"
export {
  addDays,
  CalendarDate,
  calendarDate,
  daysBetween,
  parseCalendarDate,
  saoPauloDate,
  saoPauloMidnight
} from "./CalendarDate.ts"
export {
  addCentavos,
  Centavos,
  centavos,
  centavosHalfUp,
  centavosOfReais,
  maxCentavos,
  Reais,
  reaisOf,
  subtractCentavos,
  sumCentavos,
  zeroCentavos
} from "./Centavos.ts"
export {
  type ClockReading,
  clockSetBackMs,
  clockSkewMs,
  isClockRight,
  maxClockSkewMs,
  maxClockStepMs
} from "./clockSkew.ts"
export { Cnpj, completeCnpj, parseCnpj } from "./Cnpj.ts"
export { completeCpf, Cpf, maskCpf, parseCpf } from "./Cpf.ts"
export { DocumentNumber, parseDocumentNumber, PersonType } from "./DocumentNumber.ts"
export { Email, emailKey, lowerCaseEmail, parseEmail } from "./Email.ts"
export { endWithin } from "./endWithin.ts"
export { errorCode } from "./errorCode.ts"
export { ApplicationId, OfferId, PartnerId, ProposalId, QuoteId, UserId, WebhookId } from "./ids.ts"
export { parseFromFilter } from "./instantFilter.ts"
export { IpAddress, parseIpAddress } from "./IpAddress.ts"
export { LruCache } from "./LruCache.ts"
export { maxMetadataKeyLength, maxMetadataKeys, Metadata } from "./Metadata.ts"
export { matchesMetadata } from "./metadataFilter.ts"
export { monotonicMillis } from "./monotonicMillis.ts"
export { Name, parseName } from "./Name.ts"
export { orderedMetadata, patchMetadata } from "./parseMetadata.ts"
export { parseTimestamp, timestamp } from "./parseTimestamp.ts"
export { fractionOf, parsePercent, Percent, percent, percentOf } from "./Percent.ts"
export { parsePhone, Phone } from "./Phone.ts"
export { maskPixKey, parsePixKey, Pix, type PixKey, PixKeyType } from "./Pix.ts"
export { addMillis, currentTimestamp, millisOf, Timestamp, timestampOf } from "./Timestamp.ts"
export { currentTraceparent } from "./traceparent.ts"
export { parseUuid, Uuid } from "./Uuid.ts"
