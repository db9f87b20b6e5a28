export { searchEverything } from './search.ts'
