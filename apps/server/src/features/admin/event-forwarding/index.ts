export { loadFlowOverview } from './flow-overview.ts'
export { addFlowRule } from './flow-rules.ts'
export { getEventFields } from './rule-conditions.ts'
