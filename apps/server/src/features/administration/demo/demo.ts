export { firstAdmin } from './actor.ts'
export { anchorOf, demoCompany } from './fill.ts'
