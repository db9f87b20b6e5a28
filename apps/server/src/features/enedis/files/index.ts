export { searchDistributorFiles } from './enedis-files.ts'
