export { createOperation } from './create.ts'
export { figuresOf } from './figures.ts'
export { searchOperations } from './search.ts'
