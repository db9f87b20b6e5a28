export { findAndStoreInsights } from './look.ts'
export { loadEnergyPrices } from './prices.ts'
