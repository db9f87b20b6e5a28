export { buildCellsFromPairs, loadQuantities, type MonthQuantities } from './quantities.ts'
