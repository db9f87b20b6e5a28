export { firstAdmin } from './actor.ts'
export { anchorOf, demoCompany } from './fill.ts'
export { fillExample } from './fill-example.ts'
