export { type Prices, pricesOf } from './prices.ts'
