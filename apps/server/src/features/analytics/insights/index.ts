export { loadEnergyPrices } from './energy-prices.ts'
export { findAndStoreInsights } from './find-insights.ts'
