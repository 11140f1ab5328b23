export { Rate } from "./Amount.ts"
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
export { fractionOf, parsePercent, Percent, percent, percentOf } from "./Percent.ts"
