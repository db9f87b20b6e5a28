export { lookAt } from './look.ts'
export { pricesOn } from './prices.ts'
