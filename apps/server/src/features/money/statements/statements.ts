export { getStatement, listStatements, yearOf } from './view.ts'
