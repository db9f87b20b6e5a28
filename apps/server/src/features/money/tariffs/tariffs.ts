export { type PriceIssue, priceIssues } from './issues.ts'
export { type Prices, pricesOf, pricesUnder } from './prices.ts'
export { adoptTariff, copyTariff, createTariff } from './write.ts'
