export { listPlantEconomies } from './economies.ts'
