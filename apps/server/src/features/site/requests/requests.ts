export { keepRequest } from './keep.ts'
