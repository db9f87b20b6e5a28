export { getEventFields } from './fields.ts'
export { loadFlowOverview } from './overview.ts'
export { addFlowRule } from './rules.ts'
