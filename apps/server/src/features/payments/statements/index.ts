export { listProducerStatements, loadStatement, loadStatementYear } from './producer-statement.ts'
