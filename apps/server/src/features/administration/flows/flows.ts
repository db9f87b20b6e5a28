export { fieldsOf } from './fields.ts'
export { readFlows } from './overview.ts'
export { addRule } from './rules.ts'
