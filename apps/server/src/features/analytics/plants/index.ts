export { listPlantEconomies } from './plant-economies.ts'
