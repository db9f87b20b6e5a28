export { keepRequest } from './keep.ts'
export { keyOf, requestOf } from './link-key.ts'
export { countKey, countVisit, isScript, type Visit } from './visitor.ts'
