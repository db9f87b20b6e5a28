export { keyOf, requestOf } from '../../../core/link-key.ts'
export { keepRequest } from './keep.ts'
export { countKey, countVisit, isScript, type Visit } from './visitor.ts'
