export { searchDistributorFiles } from './search.ts'
