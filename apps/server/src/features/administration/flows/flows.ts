export { readFlows } from './overview.ts'
export { addRule } from './rules.ts'
