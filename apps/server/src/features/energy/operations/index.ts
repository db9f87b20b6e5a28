export { createOperation, updateOperation } from './edit-operation.ts'
export { loadOperationCounts, loadOperationFigures } from './operation-figures.ts'
export { changeOperationStatus } from './operation-life-cycle.ts'
export { searchOperations } from './operation-queries.ts'
