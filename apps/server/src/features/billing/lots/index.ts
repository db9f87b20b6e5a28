export { loadLotCharges, loadSpreadBuyerIds, saveLotSpread } from './lot-charges.ts'
