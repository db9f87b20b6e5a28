export { loadLotCharges, loadSpreadBuyerIds } from './charges.ts'
export { saveLotSpread } from './spread.ts'
