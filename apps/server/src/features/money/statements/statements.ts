export { listProducerStatements, loadStatement, loadStatementYear } from './view.ts'
