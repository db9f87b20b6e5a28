export { loadFirstAdmin } from './actor.ts'
export { findDemoCompany, findDemoDay } from './fill.ts'
export { fillExample } from './fill-example.ts'
