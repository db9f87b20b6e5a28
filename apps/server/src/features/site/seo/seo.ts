export { openSite } from './site.ts'
