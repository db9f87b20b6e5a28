export { keepAsked, openFirstPage } from './seed.ts'
