export { fillExample, findDemoCompany, findDemoDay, loadFirstAdmin } from './fill-demo.ts'
