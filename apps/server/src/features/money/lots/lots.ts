export { chargesOf, spreadIds } from './charges.ts'
export { saveLots } from './spread.ts'
